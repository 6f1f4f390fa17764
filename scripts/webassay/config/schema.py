"""The typed shape of a configuration; Hydra checks every YAML file and override against it.

A field marked `runtime` cannot change an answer (a timeout, an address, the number of workers) and is left out of
every digest. All other fields are identity: change one and the results get another path.
"""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING


def runtime(default: Any) -> Any:
    """A field that never moves a path."""
    if isinstance(default, list | dict):
        return field(default_factory=lambda: type(default)(default), metadata={"runtime": True})
    return field(default=default, metadata={"runtime": True})


@dataclass
class Viewport:
    width: int = 1280
    height: int = 720


@dataclass
class System:
    """An agent. `options` go to the class that `kind` names; systems of the package have typed fields instead."""

    name: str = MISSING
    kind: str = MISSING
    """`module:Class`; the module's VERSION is part of the identity."""
    max_rounds: int = 30
    max_seconds: float = 300.0
    """Wall clock for one task: a budget like max_rounds, so part of the identity."""
    viewport: Viewport = field(default_factory=Viewport)
    action_seconds: float = 15.0
    """How long one action may wait for its element or page: a budget too, since running out of it is a failure."""
    options: dict[str, Any] = field(default_factory=dict)
    ensemble: str | None = runtime(None)
    """Systems of one ensemble are also shown as one: it passes what any of them passes."""


@dataclass
class NaiveSystem(System):
    kind: str = "webassay.systems.naive:Constant"
    answer: str = MISSING
    status: str = "SUCCESS"


@dataclass
class SeededSystem(System):
    seed: int = 0


@dataclass
class BrowsingSystem(System):
    """A baseline that browses without understanding, and what it says in the end."""

    seed: int = 0
    steps: int = 10
    """How many actions it makes, of which the first opens the start page."""
    action: str = "retrieve"
    status: str = "SUCCESS"
    answer: str = ""
    """Given as the one result of a retrieve that succeeds."""


@dataclass
class KnowledgeOnlySystem(System):
    kind: str = "webassay.systems.knowledge_only:KnowledgeOnly"
    prompt: str = MISSING
    """What the model is told before the task: its text is identity like any other field."""


@dataclass
class TextAgentSystem(System):
    """What its fields mean stands beside them in systems/text_agent."""

    kind: str = "webassay.systems.text_agent:TextAgent"
    prompt: str = MISSING
    characters: int = 8000
    elements: int = 150
    history: int = 10
    bad_replies: int = 5
    settle_seconds: float = 3.0


@dataclass
class WebSurferSystem(System):
    """webeval's agent; what its fields mean stands beside them in systems/websurfer."""

    kind: str = "webassay.systems.websurfer:WebSurfer"
    prompt: str = MISSING
    next_prompt: str = MISSING
    answer_prompt: str = MISSING
    max_n_images: int = 3
    max_url_chars: int = 100
    min_pixels: int = 3136
    max_pixels: int = 12_845_056
    search_url: str = "https://www.bing.com/search?q={query}&FORM=QBLH"
    structured: bool = True
    bad_replies: int = 5
    settle_seconds: float = 3.0


@dataclass
class ComputerUseSystem(System):
    """What its fields mean stands beside them in systems/computer_use."""

    kind: str = "webassay.systems.computer_use:ComputerUse"
    prompt: str = MISSING
    answer_prompt: str = MISSING
    tool: str = "computer_use_preview"
    structured: bool = True
    bad_replies: int = 5
    settle_seconds: float = 3.0


@dataclass
class ExternalSystem(System):
    kind: str = "webassay.systems.external:External"
    command: list[str] = MISSING
    """Started once for each task; what it is given stands in systems/external.py."""
    agent_version: str = "1"


@dataclass
class NoisyOracleSystem(System):
    kind: str = "webassay.systems.noisy_oracle:NoisyOracle"
    rate: float = 0.3
    """Share of tasks that go wrong."""
    seed: int = 0


@dataclass
class ChaosSystem(System):
    kind: str = "webassay.systems.chaos:Chaos"
    seed: int = 0
    faulty_attempts: int = 1
    """How many attempts of each task meet a fault before one is left in peace."""


@dataclass
class ImportedSystem(System):
    kind: str = "webassay.systems.imported:Imported"
    path: str = runtime("")
    """A folder of trajectories; what is in it is identity."""


@dataclass
class Prices:
    """Of a million tokens, in any currency: what a run cost is then told beside its tokens."""

    prompt: float | None = None
    completion: float | None = None
    cached: float | None = None
    """Of prompt tokens that the endpoint still had; None: the price of the others."""


@dataclass
class Limits:
    """How hard a model may be asked; None: no limit. Waiting for it takes nothing from an agent's time."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    """Of questions and replies together."""
    concurrent: int | None = None
    """Questions of one process at a time; agents' workers are processes that ask one each."""
    file: str = "results/.cache/rates.sqlite3"
    """All processes that keep to the same file share these limits."""


@dataclass
class Model:
    """A language model behind an OpenAI-compatible endpoint; keys come from the environment, by name, or a file."""

    name: str = MISSING
    api: str = "chat"
    """chat: chat completions; responses: the Responses API."""
    structured: bool = False
    """Its server holds replies to a JSON schema (llama.cpp, vLLM): forms are sent as such, bounded for small models."""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    pictures: bool = True
    """False: it knows words only, and judges tell it where a picture was left out."""
    endpoints: list[str] = runtime([])
    """Asked in this order; one that failed comes last for a minute."""
    api_key_env: str | None = runtime(None)
    api_key_file: str | None = runtime(None)
    """Holds the key and nothing else, and nobody else may read it."""
    timeout: float = runtime(300.0)
    retries: int = runtime(5)
    prices: Prices = field(default_factory=Prices, metadata={"runtime": True})
    limits: Limits = field(default_factory=Limits, metadata={"runtime": True})


@dataclass
class Dataset:
    name: str = MISSING
    source: str = runtime(MISSING)
    """`build:MODULE` (made here by that module), `wheel:NAME==VERSION` (task files out of a released package, fetched
    by pip), `file:PATH` (a local JSON Lines file or JSON array) or `folder:PATH` (applications of a checkout, which
    stay where they are; of them only the tasks are kept)."""
    sha256: str | None = None
    """Digest of the content, of a wheel that of its file; computed from a local file when absent, else required."""
    origin: str = runtime("")
    """Where a user gets the file from that `path` names, for datasets that are not fetched."""
    having: str = ""
    """Of `folder:PATH`: each folder with this file is an application."""
    only: Any = field(default_factory=list)
    """Of `folder:PATH`: the applications taken, by name; empty: all."""


@dataclass
class EmbeddedModel(Model):
    """A model in the box: its weights are fetched like a dataset, and its server is started here."""

    weights: Dataset = MISSING
    file: str = MISSING
    """In the weights' folder."""
    context: int = 8192
    """Tokens of a question and its answer together."""


@dataclass
class Select:
    """Which tasks of a benchmark to take; empty means all."""

    tasks: list[str] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    """Of what is expected: retrieve, mutate, navigate."""
    difficulties: list[str] = field(default_factory=list)
    """As the benchmark calls them: easy, medium, hard."""
    limit: int | None = None


@dataclass
class Benchmark:
    name: str = MISSING
    kind: str = MISSING
    """A module with `load(folder) -> list[Task]`; its VERSION is part of the identity."""
    path: str = runtime(MISSING)
    """A user's own copy of the tasks, in place of a released one; empty for none."""
    dataset: Dataset | None = None
    """Where the tasks come from; None: from the environment's dataset."""
    select: Select = field(default_factory=Select)


@dataclass
class InfinityBenchmark(Benchmark):
    kind: str = "webassay.benchmarks.webarena_infinity"
    app: Any = field(default_factory=list)
    """An application of the checkout, or several; empty: all."""


@dataclass
class Site:
    url: str = runtime(MISSING)
    """As agents see it; of a site that is started here, without a port."""
    ready_path: str = runtime("/")
    ready_text: str = runtime(MISSING)
    """A text that only a working page shows: an empty catalogue answers 200 too. Empty: nothing is asked."""
    login_path: str | None = None
    login_form: dict[str, str] = runtime({})
    """Fields of the form at `login_path`; `{user}` and `{password}` are the account's. The rest of the form (its
    address, hidden fields, button) is taken from the page."""
    proof_path: str = runtime("")
    proof_text: str = runtime("")
    """A page and a text on it that only a logged-in visitor sees (`{user}` allowed); without a text `user_header`
    proves it, without a path at `login_path`."""
    session_cookie: str | None = None
    login_required: bool = False
    """Every task on this site is done by somebody logged in; else a task's `account` says so."""
    public_cookies: list[str] = field(default_factory=list)
    """Kept with their values in evidence, since a task looks at them; all others are redacted. A verdict rests on
    these four, so they are identity."""
    user_header: str | None = None
    """The header in which every answer names the user that it was made for: the evidence of who acted."""
    account: str | None = None
    """Who is logged in here when the task names nobody."""
    state_path: str | None = None
    """GET answers the site's whole state as JSON, once a page has been open: the runner opens the start page for a
    moment before the agent comes, and looks again when it has gone."""
    own_writes: list[str] = field(default_factory=list)
    """`PUT /api/state`: requests that only the site's own scripts make; who made each is recorded as evidence."""


@dataclass
class Account:
    """Who can be logged in, on each of a task's sites; the form is the site's."""

    site: str | None = None
    """The only one that knows this account; null: all of them do."""
    user: str = MISSING
    password: str = runtime(MISSING)
    """Redacted from all evidence; `${oc.env:NAME}` keeps it out of every file."""


@dataclass
class Reset:
    """How the sites get back to their seeded state before each attempt."""

    by: str = "copy"
    """copy: the database file; url: a POST; command: a program; restart: a new process; none: what agents do stays."""
    url: str = runtime("")
    """`{port}` and `{control_port}` are filled in; the token of WEBASSAY_SITE_TOKEN is sent as a bearer's."""
    command: list[str] = runtime([])
    timeout: float = runtime(60.0)


@dataclass
class Folders:
    """Sites that are folders of a checkout: each with the file `having` is a site of its name, started when needed."""

    having: str = MISSING
    only: Any = field(default_factory=list)
    """A name or several; empty: all."""
    site: Site = MISSING
    """What each is like; `{site}` in its url stands for its name."""


@dataclass
class Environment:
    """The sites that tasks are about: how to start, reset and look into them."""

    name: str = MISSING
    dataset: Dataset | None = None
    path: str = runtime("")
    """A folder of the user's: a checkout of applications; its content is identity."""
    folders: Folders | None = None
    sites: dict[str, Site] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    """Starts one copy, which finds a random token in WEBASSAY_SITE_TOKEN; `{python}`, `{data}`, `{database}`,
    `{port}`, `{control_port}`, `{path}` and `{site}` are filled in. With `{site}` here or in `cwd` each site is a
    process of its own, started for the first task that needs it. Empty: the sites run elsewhere, at their url."""
    cwd: str = runtime("")
    """The folder it is started in; `{path}` and `{site}` are filled in."""
    database: str = "site.sqlite3"
    """The template in the dataset's folder that a reset copies; empty: none, so no SQL and no diff."""
    reset: Reset = field(default_factory=Reset)
    volatile: list[str] = field(default_factory=list)
    """Tables, or table.column, that may change without an agent's doing: left out of the database's diff."""
    port: int = runtime(0)
    """0 takes a free one for each worker."""
    start_timeout: float = runtime(30.0)
    verifier_timeout: float = runtime(60.0)
    """For a benchmark's own verifier, which is asked while the sites still run."""


@dataclass
class LiveEnvironment(Environment):
    """The open web: nothing is started, looked at or reset, and any site may be a task's."""

    any_site: bool = True
    start_url: str = "https://www.bing.com"
    """For tasks that name no page to start from."""


@dataclass
class LLM:
    """How judges get at models' replies: runtime throughout, since a reply is the same wherever it was kept."""

    mode: str = "record"
    """record: stored replies are used, others asked for and stored; replay: stored ones only; live: none."""
    folder: str = "results/llm"
    parallel: int = 4
    """Questions about one trajectory that are asked at a time."""
    budget: float | None = None
    """Money, in the unit of `prices`, that all questions of this folder's judges together may cost: one that could
    pass it is not asked. With more of it the same command goes on."""


@dataclass
class Judge:
    name: str = MISSING
    kind: str = MISSING
    """`module:Class`; the module's VERSION is part of the identity."""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass
class Tolerances:
    """How far an answer may lie from the expected one; of an absolute and a relative bound the wider counts."""

    number: float = 0.0
    currency: float = 0.0
    duration_seconds: float = 60.0
    duration_relative: float = 0.02
    distance_metres: float = 10.0
    distance_relative: float = 0.01
    coordinates_degrees: float = 1e-4
    location_name_suffix: bool = True
    location_name_similarity: float = 1.0


@dataclass
class Exploration:
    """What an answer that can be guessed (a status, a truth value, a single digit) needs besides being right."""

    pages: int = 2
    tau: float = 0.5
    usual_actions: dict[str, float] = field(default_factory=dict)
    usual: float = 6.0


@dataclass
class VerifiedJudge(Judge):
    kind: str = "webassay.judges.verified:Verified"
    profile: str = "paper"
    errata: bool = True
    tolerances: Tolerances = field(default_factory=Tolerances)
    exploration: Exploration = field(default_factory=Exploration)


@dataclass
class WebArenaJudge(Judge):
    """The original harness. Without a model no answer is found similar: such checks fail and say so."""

    kind: str = "webassay.judges.webarena:WebArena"
    fuzzy: str = "none"
    """`model`: asked where the harness asks one, about answers in other words and reasons for giving up."""
    model: Model = field(default_factory=lambda: Model(name="none"))
    llm: Any = runtime("${llm}")


@dataclass
class Images:
    """Which screenshots a model is shown; what is left out is told in the verdict."""

    most: int = 30
    keep: str = "last"
    """first or last, where there are more than `most`."""


@dataclass
class ModelJudge(Judge):
    """A judge that asks a model; `model@judge.model=gpt-4o` chooses one of config/model."""

    model: Model = field(default_factory=lambda: Model(name="none"))
    prompts: str = MISSING
    """A folder of judges/prompts, or the path of one's own; the content of its files is identity."""
    images: Images = field(default_factory=Images)
    agent_text: bool = True
    """False: what the agent says (answer, thoughts, notes) is withheld, so that its weight in verdicts can be seen."""
    llm: Any = runtime("${llm}")
    """The node of that name; OmegaConf lets no typed field refer to another."""


@dataclass
class VotingJudge(ModelJudge):
    parser: str = "marked"
    """marked: a JSON object with the question's own mark, or no verdict; else one of judges/replies.py."""
    votes: int = 1
    """Asked for until the majority is sure."""
    agreement: float = 0.5
    """A verdict needs more than this share of the votes that were drawn: 0.99 asks for all of them."""


@dataclass
class WebVoyagerJudge(VotingJudge):
    kind: str = "webassay.judges.webvoyager:WebVoyager"


@dataclass
class WebJudge(VotingJudge):
    kind: str = "webassay.judges.webjudge:WebJudge"
    method: str = "online_mind2web"
    """online_mind2web, general, autonomous, agenttrek or webvoyager."""
    threshold: int = 3
    """Screenshots with this score or a better one, of 1 to 5, are shown to the last question."""


@dataclass
class RubricJudge(ModelJudge):
    """The Universal Verifier; changing success, process or threshold asks no model."""

    kind: str = "webassay.judges.rubric:Rubric"
    success: str = "outcome"
    """outcome, process or both."""
    process: str = "strict"
    """strict: what cannot be verified earns nothing; lenient: it earns what was claimed."""
    threshold: float = 0.8
    """The share of all points that `process` needs."""
    votes: int = 1
    """Scorings and outcomes: the median and the majority count."""
    per_criterion: int = 5
    """Screenshots that each criterion is judged by."""
    attempts: int = 3
    """How often a question is put before its answer is given up."""
    diagnose: bool = True
    """Steps 9 and 10, which never change a score."""


@dataclass
class Agreement:
    """How labels of judges and people are read and compared (rule agreement)."""

    success: list[str] = field(default_factory=lambda: ["success", "1"])
    """Empty: labels are categories of no order, compared as they are."""
    failure: list[str] = field(default_factory=lambda: ["failure", "0"])
    excluded: list[str] = field(default_factory=list)
    """Labels that are no verdict, like an empty one."""
    missing: str = "drop"
    """`drop`: rates are over the items that a judge judged; `failure`: over all, without a verdict none passes."""
    with_scores: bool = False
    """Beside a labels file: also this experiment's own verdicts, of items `<run>/<task_id>` as in scores.csv."""
    target: float = 0.9
    """Accuracy asked of the items on which a judge is trusted."""
    resamples: int = 2000
    seed: int = 0


@dataclass
class Caps:
    """What decides a selection of hard tasks (§4.5 of the paper)."""

    tau_hard: float = 0.20
    """A task is hard with a success of an average agent up to this."""
    cap: int = 3
    """Most tasks of a category."""
    cap_easy: int = 2
    """Most tasks of a very easy category."""
    tau_easy: float = 0.85
    """A category is very easy from this median success on."""
    min_agents: int = 4
    """A task that fewer agents have attempted is not taken."""


@dataclass
class Passed:
    """What a bootstrap replicate of the validation must reach."""

    tau: float = 0.90
    mae: float = 0.06


@dataclass
class Subset:
    """The hard subset: `snakemake subset`."""

    judge: str = ""
    """Whose verdicts, where the experiment has several judges."""
    categories: str = ""
    """A CSV file of your own with the columns task_id and category; empty: templates are the categories."""
    excluded_sites: list[str] = field(default_factory=lambda: ["map"])
    """Their tasks are left out, unless they cross to another site."""
    seed: int = 0
    budget: int = 30
    """Steps are counted up to this; a failure that has used them up, or its agent's own budget, is marked as such."""
    bins: list[int] = field(default_factory=lambda: [1, 3, 5, 8, 12, 18, 25])
    """Lowest number of steps of each bin; the paper gives none."""
    min_successes: int = 30
    """With fewer at a site its reference number of steps is taken from all attempts."""
    caps: Caps = field(default_factory=Caps)
    ablations: list[Caps] = field(
        default_factory=lambda: [Caps(0.25, 4, 2, 0.85, 4), Caps(0.30, 5, 3, 0.80, 4)]  # those of the paper
    )
    bootstrap: int = 500
    passed: Passed = field(default_factory=Passed)
    category_bootstrap: int = 2000
    category_confidence: float = 0.90
    refit: bool = False
    """Validate also by fitting and choosing anew without each agent in turn: as many fits as agents."""


@dataclass
class Analysis:
    confidence: float = 0.95
    ungraded: str = "failed"
    """What an attempt that nobody could judge counts as where agents are compared: `failed`, or `left_out`."""
    anchor: str | None = None
    """The agent that others are compared with; None: the first of those with the most attempts."""
    tasks: Dataset | None = None
    """What the paper's tables are counted in."""
    labels: str = runtime("")
    """PATH of a labels file (stats/labels.py has its form), `om2w:FOLDER` or `arb:FILE` for published verdicts; empty:
    this experiment's own. Its content is identity, not its name."""
    codebook: str = runtime("")
    """PATH of the questions that a labels file answers (stats/codebook.py): its labels are then checked against it."""
    agreement: Agreement = field(default_factory=Agreement)
    challenge: bool = runtime(True)
    """Whether the rule judge_health puts judges before the injection suite, which asks their models."""
    outcomes: str = runtime("")
    """A CSV file of agents' outcomes on the benchmark's tasks, to be used in place of runs: agent, task_id, success,
    num_steps."""
    backend: str = "laplace"
    """Of the hardness model: `laplace` (seconds), or `numpyro` (NUTS, minutes, in an environment of its own)."""
    subset: Subset = field(default_factory=Subset)


@dataclass
class Browser:
    """Which one agents work in; another kind than the one that is started here is identity, where it is does not."""

    kind: str = "chromium"
    """chromium, cdp or browserbase."""


@dataclass
class Chromium(Browser):
    executable: str | None = runtime(None)
    """Path of a Chromium; None looks for one (`webassay doctor` says which)."""
    headless: bool = runtime(True)
    download_megabytes: float = runtime(50.0)
    """Of what pages hand out during an attempt, all in all; it is kept in the folder `downloads`."""


@dataclass
class CdpBrowser(Browser):
    kind: str = "cdp"
    endpoint: str = runtime(MISSING)


@dataclass
class BrowserbaseBrowser(Browser):
    kind: str = "browserbase"
    endpoint: str = runtime("https://api.browserbase.com")
    api_key_env: str = runtime("BROWSERBASE_API_KEY")
    project_env: str = runtime("BROWSERBASE_PROJECT_ID")
    proxies: bool = True
    advanced_stealth: bool = True
    solve_captchas: bool = True
    region: str = "us-east-1"
    session_seconds: int = runtime(7200)
    """After which BrowserBase ends a session by itself."""
    wait_seconds: float = runtime(300.0)
    """How long to wait for a session where too many are open."""
    captcha_seconds: float = runtime(60.0)
    """How long an agent waits while one is solved."""


@dataclass
class Budget:
    """Of a run; None: no limit. It stops between two attempts, and goes on when it is given more."""

    tokens: int | None = None
    """Of questions and replies, in all attempts together."""
    money: float | None = None
    """By model.prices."""
    seconds: float | None = None
    """Of this command's stage, not of those before it."""


@dataclass
class Execution:
    """How the work is done: nothing here can change a result."""

    workers: int = 2
    judging: int = 8
    """Trajectories that are judged side by side; a model judge mostly waits."""
    controls: int = 0
    """Runs with a known answer, mixed into each shard of judges that show screenshots to a model: in no score, and told
    by the rule judge_health."""
    shards: int = 1
    max_error_task_retries: int = 3
    shuffle: int | None = None
    """Seed of the order in which tasks are taken, another one for each run id; None: the benchmark's order."""
    progress_seconds: float = 10.0
    budget: Budget = field(default_factory=Budget)


@dataclass
class Config:
    system: System = MISSING
    model: Model = MISSING
    benchmark: Benchmark = MISSING
    environment: Environment = MISSING
    judge: Judge = MISSING
    analysis: Analysis = MISSING
    browser: Browser = MISSING
    execution: Execution = runtime(MISSING)
    llm: LLM = field(default_factory=LLM, metadata={"runtime": True})
    user: str = "local"
    """A part of the path; not the login name, so that results move between people."""
    run_id: str = "0"


SCHEMAS: dict[str, type] = {
    "config": Config,
    "system/base": System,
    "system/naive": NaiveSystem,
    "system/seeded": SeededSystem,
    "system/browsing": BrowsingSystem,
    "system/knowledge_only": KnowledgeOnlySystem,
    "system/text_agent": TextAgentSystem,
    "system/websurfer": WebSurferSystem,
    "system/computer_use": ComputerUseSystem,
    "system/external": ExternalSystem,
    "system/chaos": ChaosSystem,
    "system/noisy_oracle": NoisyOracleSystem,
    "system/imported": ImportedSystem,
    "model/embedded": EmbeddedModel,
    "benchmark/webarena_infinity": InfinityBenchmark,
    "environment/live": LiveEnvironment,
    "browser/chromium": Chromium,
    "browser/cdp": CdpBrowser,
    "browser/browserbase": BrowserbaseBrowser,
    "judge/base": Judge,
    "judge/verified": VerifiedJudge,
    "judge/webarena": WebArenaJudge,
    "judge/webvoyager": WebVoyagerJudge,
    "judge/webjudge": WebJudge,
    "judge/rubric": RubricJudge,
}
"""What a YAML file names in its defaults list as `/schema/<name>@_here_`."""
