"""Who says whether a task was done."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from webassay.config.schema.model import Model
from webassay.config.schema.runtime import runtime


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
