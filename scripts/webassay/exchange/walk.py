"""Where the trajectories lie in a tree."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from webassay.core.folders import TRAJECTORIES
from webassay.exchange import webeval
from webassay.exchange.registry import Documents

Unit = tuple[Path, str]
"""A folder, and the file in it that stands for a trajectory."""


def units(root: Path, documents: Documents) -> Iterator[Unit]:
    """In order of their paths; a trajectory is not searched for others, nor is what a link leads to.

    Of a run in webeval's form only `traj` counts, as in core/folders.py: what lies beside it is in progress or set
    aside.
    """
    for folder, names in folders(root, documents, TRAJECTORIES if documents is webeval.documents else None):
        for name in documents(names):
            yield folder, name


def folders(root: Path, stop: Documents | None = None, sole: str | None = None) -> Iterator[tuple[Path, Sequence[str]]]:
    """With the names of their files; where one below is called `sole`, the others are passed over."""
    for parent, below, names in os.walk(root):
        visible = [] if stop and stop(names) else sorted(name for name in below if not name.startswith("."))
        is_run = sole in visible and not Path(parent, str(sole)).is_symlink()
        below[:] = [str(sole)] if is_run else visible
        yield Path(parent), sorted(names)
