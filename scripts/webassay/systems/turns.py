"""Who may be on a deployment that several agents share: whoever changes something there is alone on its sites."""

import fcntl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from webassay.benchmarks.selection import task_type
from webassay.config.paths import RESULTS
from webassay.core.digest import digest
from webassay.core.task import Task
from webassay.systems.browser import origin

LOCKS = RESULTS / ".cache" / "sites"
READS = ("retrieve", "navigate")


@contextmanager
def turn(environment: dict[str, Any], task: Task) -> Iterator[None]:
    """Of an agent at the task's sites; at once where each worker has sites of its own.

    A hook that puts the sites back does so for everybody: then one agent at a time is on any of them.
    """
    if environment["command"] or environment.get("any_site"):
        yield
        return
    resets = environment["reset"]["by"] != "none"
    names = environment["sites"] if resets else task.sites
    kind = fcntl.LOCK_EX if resets or task_type(task) not in READS else fcntl.LOCK_SH
    with ExitStack() as held:
        for path in sorted({_lock(environment["sites"][name]["url"]) for name in names}):  # in one order for all
            fcntl.flock(held.enter_context(_opened(path)), kind)
        yield


def _lock(url: str) -> Path:
    """Of its origin: whoever spells an address otherwise means the same site."""
    return LOCKS / f"{digest(list(origin(url)))[:16]}.lock"


def _opened(path: Path) -> IO[str]:
    """One for each who asks, so that threads of a process keep each other out too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w")
