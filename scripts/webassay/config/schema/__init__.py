"""The typed shape of a configuration; Hydra checks every YAML file and override against it.

A field marked `runtime` cannot change an answer (a timeout, an address, the number of workers) and is left out of
every digest. All other fields are identity: change one and the results get another path.
"""

from dataclasses import dataclass, field

from omegaconf import MISSING

from webassay.config.schema.analysis import Analysis
from webassay.config.schema.benchmark import Benchmark, InfinityBenchmark
from webassay.config.schema.environment import Environment, LiveEnvironment
from webassay.config.schema.execution import Browser, BrowserbaseBrowser, CdpBrowser, Chromium, Execution, Firefox
from webassay.config.schema.judge import Judge, RubricJudge, VerifiedJudge, WebArenaJudge, WebJudge, WebVoyagerJudge
from webassay.config.schema.model import LLM, EmbeddedModel, Model
from webassay.config.schema.runtime import runtime
from webassay.config.schema.system import (
    BrowsingSystem,
    ChaosSystem,
    ComputerUseSystem,
    ExternalSystem,
    ImportedSystem,
    KnowledgeOnlySystem,
    NaiveSystem,
    NoisyOracleSystem,
    SeededSystem,
    System,
    TextAgentSystem,
    WebSurferSystem,
)


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
    "browser/firefox": Firefox,
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
