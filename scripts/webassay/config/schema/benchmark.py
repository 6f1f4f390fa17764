"""Tasks, and where they come from."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from webassay.config.schema.runtime import runtime


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
