"""What has been done of a run: the task folders themselves, never a list beside them.

`traj/<task_id>/` is whole or absent. An attempt grows in `running/<task_id>/` and is put in place by renames, each of
which can be the last thing this process does: whoever comes next finishes what was begun.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from webassay.core.task import Task
from webassay.core.trajectory import Attempt, read_attempt
from webassay.errors import TrajectoryError


@dataclass(frozen=True)
class Ledger:
    run: Path

    def home(self, task: Task) -> Path:
        return self.run / "traj" / task.task_id

    def workplace(self, task: Task) -> Path:
        return self.run / "running" / task.task_id

    def lock(self, task: Task) -> Path:
        return self.run / "running" / f"{task.task_id}.lock"

    def attempt(self, task: Task) -> Attempt | None:
        """The newest finished attempt at this wording of the task, or None."""
        self._finish_placing(task)
        self._set_aside_other_wording(task)
        home = self.home(task)
        if not home.exists():
            return None
        found = read_attempt(home)
        if found is None or not (home / "times.json").is_file():
            raise TrajectoryError(
                f"{home}: not a trajectory of webassay (no attempt.json or times.json); "
                "move it away, and the task runs again"
            )
        return found

    def place(self, task: Task) -> None:
        """Put a finished attempt where readers look; the one before it becomes `attempts/<n>`."""
        work, home = self.workplace(task), self.home(task)
        earlier = work / "attempts"
        if (home / "attempts").exists() and not earlier.exists():
            os.rename(home / "attempts", earlier)
        if home.exists():
            earlier.mkdir(exist_ok=True)
            previous = read_attempt(home)
            os.rename(home, earlier / str(previous.attempt if previous else 0))
        home.parent.mkdir(parents=True, exist_ok=True)
        os.rename(work, home)

    def _finish_placing(self, task: Task) -> None:
        work = self.workplace(task)
        if (work / "times.json").is_file():
            self.place(task)
        elif work.exists():
            shutil.rmtree(work)  # cut short in flight: no attempt, no evidence

    def _set_aside_other_wording(self, task: Task) -> None:
        """A trajectory of another wording of the task is kept apart, and comes back with that wording."""
        home = self.home(task)
        found = read_attempt(home) if home.exists() else None
        if found is not None and found.task_digest != task.execution_digest:
            aside = self._aside(task, found.task_digest)
            aside.parent.mkdir(parents=True, exist_ok=True)
            os.rename(home, aside)
        kept = self._aside(task, task.execution_digest)
        if not home.exists() and kept.exists():
            os.rename(kept, home)

    def _aside(self, task: Task, task_digest: str) -> Path:
        return self.run / "superseded" / task.task_id / task_digest[:16]
