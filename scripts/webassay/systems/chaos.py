"""The oracle in a bad environment: seeded faults that are real ones, to show that no abort becomes a failure."""

import os
import random
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from webassay.core.task import Task
from webassay.systems.oracle import Oracle, knows

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1
ACTIONS = {"start", "visit", "click", "type", "select"}


@dataclass(frozen=True)
class Chaos:
    seed: int = 0
    faulty_attempts: int = 1
    knows = staticmethod(knows)

    def solve(self, task: Task, session: "Session") -> str:
        if session.attempt >= self.faulty_attempts:
            return Oracle().solve(task, session)
        rng = random.Random(f"{self.seed}/{task.task_id}/{session.attempt}")
        fault = rng.choice([kill_browser, kill_site, fill_disk])
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        try:
            return Oracle().solve(task, cast("Session", Sabotaged(session, fault, before_action=rng.randint(1, 2))))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


class Sabotaged:
    """A session that strikes once, just before the given action."""

    def __init__(self, session: "Session", fault: "Callable[[Session], None]", before_action: int) -> None:
        self._session, self._fault, self._left = session, fault, before_action

    def __getattr__(self, name: str) -> Any:
        if name in ACTIONS:
            self._left -= 1
            if self._left == 0:
                self._session.log.info("chaos: %s", self._fault.__name__)
                self._fault(self._session)
        return getattr(self._session, name)


def kill_browser(session: "Session") -> None:
    browser = session.context.browser
    assert browser is not None
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    os.kill(next(process["id"] for process in processes if process["type"] == "browser"), signal.SIGKILL)


def kill_site(session: "Session") -> None:
    session.sites.kill()


def fill_disk(session: "Session") -> None:
    """The kernel refuses every further byte this process writes, as it does on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
