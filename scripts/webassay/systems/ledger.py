"""What has been done of a run: the task folders themselves, never a list beside them.

`traj/<task_id>/` is whole or absent. An attempt grows in `running/<task_id>/` and is put in place by renames, each of
which can be the last thing this process does: whoever comes next finishes what was begun. Locks are by task, besides
one for each shard, so that runs cut into other shards never meet in one folder.
"""

import os
import shutil
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from webassay.core.processes import exclusive
from webassay.core.task import Task
from webassay.core.trajectory import Attempt, read_attempt
from webassay.errors import TrajectoryError
from webassay.systems.model_calls import CUT_SHORT, keep_calls


@dataclass(frozen=True)
class Ledger:
    run: Path

    def home(self, task: Task) -> Path:
        return self.run / "traj" / task.task_id

    def workplace(self, task: Task) -> Path:
        return self.run / "running" / task.task_id

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Of a task or of a shard."""
        return exclusive(self.run / "locks" / f"{name}.lock")

    def attempt(self, task: Task) -> Attempt | None:
        """The newest finished attempt at this wording of the task, or None; puts things right first where needed."""
        home = self.home(task)
        found = read_attempt(home) if home.exists() else None
        if self.workplace(task).exists() or found is None or found.task_digest != task.execution_digest:
            with self.lock(task.task_id):
                return self._put_right(task)
        return found

    def newest(self, task: Task) -> int | None:
        """The number of the attempt in place, whatever its wording."""
        found = read_attempt(self.home(task)) if self.home(task).exists() else None
        return found.attempt if found else None

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

    def finish_placing(self, task: Task) -> None:
        """For the holder of the task's lock: a whole attempt goes into place, one cut short is no evidence.

        What a model was asked in it has been paid for, and is kept for the budget.
        """
        work = self.workplace(task)
        if (work / "times.json").is_file():
            self.place(task)
        elif work.exists():
            keep_calls(work, self.run / CUT_SHORT / task.task_id)
            shutil.rmtree(work)

    def _put_right(self, task: Task) -> Attempt | None:
        self.finish_placing(task)
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
