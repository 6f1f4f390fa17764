"""What is evaluated: agents."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from webassay.config.schema.runtime import runtime, when_set


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
    fn_call_template: str = "default"
    fn_call_templates: dict[str, str] = MISSING
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
    command: list[str] = field(default_factory=list)
    """Started once for each task; what it is given stands in systems/external.py."""
    entry_point: str = when_set("")
    """Or `package.module:function`, called in a process of its own with the task and the browser's address."""
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
