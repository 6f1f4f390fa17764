"""What is made of verdicts: tables, agreement, the hard subset."""

from dataclasses import dataclass, field

from webassay.config.schema.benchmark import Dataset
from webassay.config.schema.runtime import runtime


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
