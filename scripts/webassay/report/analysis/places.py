"""Where the trajectories are: in the runs of an experiment, or in any tree of folders that somebody names."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from webassay.config.paths import ExperimentPlan
from webassay.core.folders import TRAJECTORIES, trajectory_folders
from webassay.core.task import read_tasks
from webassay.errors import ConfigError, WebassayError

WEBEVAL_ROUNDS = 100
"""Of runs that do not say theirs: webeval's own agent has this number in its code."""


@dataclass(frozen=True)
class Place:
    """A trajectory's folder, and what its run says of it."""

    folder: Path
    run: str
    max_rounds: int
    judges: frozenset[str] | None = None
    """Whose scores count; None: everybody's."""


def planned_places(experiment: ExperimentPlan) -> Iterator[Place]:
    """Of each task that is planned, whether or not there is anything; of no other, though it may be there."""
    for plan in experiment.by_run.values():
        judges = frozenset(each.eval_hash for each in experiment.runs if each.run == plan.run)
        place = Place(plan.folder, plan.run, int(plan.config["system"]["max_rounds"]), judges)
        for task in read_tasks(plan.folder / "tasks.jsonl"):
            yield replace(place, folder=plan.folder / TRAJECTORIES / task.task_id)


def places_under(paths: Sequence[str], judge: str | None = None, max_rounds: int | None = None) -> Iterator[Place]:
    """One by one; `judge` None: all that have scores there, `max_rounds` None: as each run says."""
    rounds: dict[Path, int] = {}
    judges = None if judge is None else frozenset([judge])
    for root in _roots(paths):
        for folder in trajectory_folders(root):
            run = folder.parent.parent if folder.parent.name == TRAJECTORIES else folder.parent
            if run not in rounds:
                rounds[run] = max_rounds or rounds_of(run)
            yield Place(folder, str(run), rounds[run], judges)


def rounds_of(run: Path) -> int:
    """What `run.yaml` says, where there is one."""
    path = run / "run.yaml"
    if not path.is_file():
        return WEBEVAL_ROUNDS
    try:
        rounds = yaml.safe_load(path.read_text())["system"]["max_rounds"]
        if isinstance(rounds, int) and rounds > 0:
            return rounds
    except (yaml.YAMLError, KeyError, TypeError, ValueError, RecursionError):
        pass
    raise ConfigError(f"{path} does not say system.max_rounds; give --max-rounds")


def short_names(runs: Sequence[str]) -> dict[str, str]:
    """The parts of the paths that tell them apart; of a single one, all of it."""
    parts = {run: Path(run).parts for run in runs}
    if len(parts) < 2:
        return {run: run for run in parts}
    if len(set(map(len, parts.values()))) > 1:
        common = os.path.commonpath([Path(run).absolute() for run in parts])
        return {run: os.path.relpath(run, common) for run in parts}
    differing = [len(set(column)) > 1 for column in zip(*parts.values(), strict=True)]
    return {
        run: "/".join(part for part, differs in zip(own, differing, strict=True) if differs)
        for run, own in parts.items()
    }


def _roots(paths: Sequence[str]) -> Iterator[Path]:
    """Each once: a folder that is named twice, or inside of another that is named, counts once."""
    given = {Path(path).resolve(): Path(path) for path in paths}
    for real, path in given.items():
        if not path.is_dir():
            raise WebassayError(f"{path}: no such folder; name a run, a folder of trajectories, or a tree of them")
        if not any(parent in given for parent in real.parents):
            yield path if path.name not in ("", "..") else real  # a run is known by its name
