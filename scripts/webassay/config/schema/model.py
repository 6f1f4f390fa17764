"""Language models, of agents and of judges."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from webassay.config.schema.benchmark import Dataset
from webassay.config.schema.runtime import runtime, when_set


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
    sampling: dict[str, Any] = when_set({})
    """What else is sent along, as it is: max_completion_tokens, reasoning_effort, top_k …"""
    endpoints: list[Any] = runtime([])
    """Asked in this order; one that failed comes last for a minute. An address, or `{url: …, api_key_env: NAME}`, since
    the key below goes to one host only."""
    api_key_env: str | None = runtime(None)
    api_key_file: str | None = runtime(None)
    """Holds the key and nothing else, and nobody else may read it."""
    timeout: float = runtime(300.0)
    retries: int = runtime(5)
    picture_tokens: int = runtime(50_000)
    """The most that its endpoint counts for one picture: what `llm.budget` holds for it until the answer tells."""
    prices: Prices = field(default_factory=Prices, metadata={"runtime": True})
    limits: Limits = field(default_factory=Limits, metadata={"runtime": True})


@dataclass
class EmbeddedModel(Model):
    """A model in the box: its weights are fetched like a dataset, and its server is started here."""

    weights: Dataset = MISSING
    file: str = MISSING
    """In the weights' folder."""
    context: int = 8192
    """Tokens of a question and its answer together."""


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
