"""Where the trajectories lie in a tree."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from webassay.exchange.registry import Documents

Unit = tuple[Path, str]
"""A folder, and the file in it that stands for a trajectory."""


def units(root: Path, documents: Documents) -> Iterator[Unit]:
    """In order of their paths; a trajectory is not searched for others, nor is what a link leads to."""
    for folder, names in folders(root, documents):
        for name in documents(names):
            yield folder, name


def folders(root: Path, stop: Documents | None = None) -> Iterator[tuple[Path, Sequence[str]]]:
    for parent, below, names in os.walk(root):
        below[:] = [] if stop and stop(names) else sorted(name for name in below if not name.startswith("."))
        yield Path(parent), sorted(names)
