"""Runs that were made elsewhere: each task's trajectory is taken from a folder, and judged like any other.

A task without a trajectory, or with one that cannot be read, is an abort that says so: nobody's failure, and no task is
missing from a mean. Nothing there can change by trying again, so it is not.
"""

import os
import shutil
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.answer import answer_files
from webassay.core.files import write_json
from webassay.core.folders import trajectory_folders
from webassay.core.task import Task
from webassay.core.trajectory import ATTEMPT, Attempt, FinalAnswer, Trajectory, write_end
from webassay.errors import AgentFault, TrajectoryError
from webassay.sites.facts import site_facts
from webassay.systems.ledger import Ledger

VERSION = 2
TIMES, TASK = "times.json", "task_data.json"
SOURCES_TASK = "source_task_data.json"
"""What the source said of its task, beside our words of it: rubrics, and whatever else others put there."""
KEPT_APART = {"attempts", "scores"}


class Imported:
    def __init__(self, path: str) -> None:
        self.root = Path(path).expanduser()

    def solve(self, task: Task, session: object) -> str:
        raise AgentFault("an imported run is not carried out again")

    def take(self, task: Task, ledger: Ledger, environment: Mapping[str, Any]) -> str:
        """Put the task's trajectory in its place in the run; returns the outcome."""
        with ledger.lock(task.task_id):
            ledger.finish_placing(task)
            work = ledger.workplace(task)
            work.mkdir(parents=True)
            attempt = self._attempt(task, work, environment)
            ledger.place(task)
        return attempt.outcome

    @cached_property
    def _folders(self) -> dict[str, Path]:
        """By the names that a folder and its answer carry."""
        found: dict[str, Path] = {}
        for folder in trajectory_folders(self.root):
            names = [folder.name, *(_task_id(name) for name in answer_files(os.listdir(folder)))]
            for name in dict.fromkeys(names):
                if found.setdefault(name, folder) != folder:
                    raise TrajectoryError(f"{self.root}: two trajectories of {name}: {found[name]} and {folder}")
        return found

    def _attempt(self, task: Task, work: Path, environment: Mapping[str, Any]) -> Attempt:
        source = self._folders.get(task.task_id)
        try:
            if source is None:
                raise TrajectoryError(f"no trajectory of this task in {self.root}")
            trajectory = Trajectory.from_folder(source)
            if trajectory.attempt and trajectory.attempt.task_digest != task.execution_digest:
                raise TrajectoryError(f"{source}: of another wording of the task")
        except TrajectoryError as error:
            return _absent(task, work, str(error))
        _copy(source, work)
        own = trajectory.environments or _facts(task, environment["sites"])
        known = trajectory.attempt or Attempt(task.task_id, task.execution_digest, 0, trajectory.outcome)
        attempt = msgspec.structs.replace(known, attempt=0, outcome=trajectory.outcome, environments=own)
        write_json(work / ATTEMPT, attempt)
        if (work / TASK).exists():
            (work / TASK).rename(work / SOURCES_TASK)
        write_json(work / TASK, task)
        if trajectory.times is None:  # not known; without the file the attempt would be one that was cut short
            write_json(work / TIMES, {"start_time": None, "end_time": None, "duration": None})
        return attempt


def _facts(task: Task, sites: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The open web has no sites that anyone knows."""
    return {name: site_facts(sites[name]) for name in task.sites if name in sites}


def _absent(task: Task, work: Path, reason: str) -> Attempt:
    attempt, now = Attempt(task.task_id, task.execution_digest, 0, "aborted", reason), time.time()
    (work / "web_surfer.log").touch()
    write_json(work / TASK, task)
    write_end(work, FinalAnswer(is_aborted=True), attempt, now, now)
    return attempt


def _copy(source: Path, target: Path) -> None:
    """Files, and links that stay within the folder; verdicts and earlier attempts remain where they are."""
    home = source.resolve()
    for path, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name not in KEPT_APART]
        below = target / Path(path).relative_to(source)
        below.mkdir(exist_ok=True)
        for name in files:
            file = Path(path, name)
            if file.is_file() and file.resolve().is_relative_to(home):
                shutil.copyfile(file, below / name)


def _task_id(answer_file: str) -> str:
    return answer_file.removesuffix("_answer.json").removesuffix("_final")
