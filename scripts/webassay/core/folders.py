"""Trajectories in a tree of folders, whoever made it."""

import os
from collections.abc import Iterator
from pathlib import Path

from webassay.core.answer import answer_files
from webassay.core.digest import digest
from webassay.core.screenshots import frames_in
from webassay.core.trajectory import LOG, evidence_digest
from webassay.errors import TrajectoryError

TRAJECTORIES = "traj"
MARKS = {LOG, "core.log", "times.json", "attempt.json", "task_data.json"}


def trajectory_folders(root: Path) -> Iterator[Path]:
    """In order: all folders in a `traj`, elsewhere those that hold a trajectory's files.

    Beside a `traj` nothing counts: attempts in progress or set aside are there. Links to folders are not followed, for
    what they lead to would count twice.
    """
    if not root.is_dir():
        raise TrajectoryError(f"{root}: no such folder; name a run, a folder of trajectories, or a tree of them")
    return _below(root)


def content_digest(root: Path) -> str:
    """Of all trajectories below, wherever the folder lies and whatever judges have written into it."""
    return digest({str(folder.relative_to(root)): evidence_digest(folder) for folder in trajectory_folders(root)})


def _below(root: Path) -> Iterator[Path]:
    try:
        with os.scandir(root) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
    except OSError:
        yield root  # it cannot be read, and whoever tries will say so
        return
    names = [entry.name for entry in entries]
    if MARKS.intersection(names) or answer_files(names) or frames_in(names):
        yield root
        return
    folders = [Path(entry) for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name[0] != "."]
    if root.name == TRAJECTORIES:
        yield from folders
        return
    for folder in [each for each in folders if each.name == TRAJECTORIES] or folders:
        yield from _below(folder)
