"""Anyone's agent as a command, which drives our browser over CDP; what its pages do is recorded and confined as ever.

The command finds in its environment

| variable | what |
|---|---|
| WEBASSAY_TASK | path of a JSON file: task_id, intent, start_url, sites (name -> address), cdp |
| WEBASSAY_CDP | the browser's address, for `connect_over_cdp` or any other client |
| WEBASSAY_ANSWER | path that the answer is written to; what is printed counts where there is no such file |

The page to work in is open, logged in and at the start page: `browser.contexts[0].pages[0]`. Pages that it opens are
recorded too; a context that the command makes by itself has no cookies and reaches no site. Files
of this machine do not open in the first; in its own the command sees what it can read without a browser as well.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from playwright.sync_api import Frame, Page, Route

from webassay.core.processes import child_environment, die_with_parent, scratch_folder
from webassay.core.task import Task
from webassay.errors import AgentFault, ConfigError
from webassay.systems import entry_point

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 2

LOOK_SECONDS = 0.1
LARGEST_ANSWER = 1_000_000
SAID = 2000
"""Characters of its error output that are kept in core.log."""


@dataclass(frozen=True)
class External:
    command: list[str] = field(default_factory=list)
    entry_point: str = ""
    """`package.module:function` in place of a command: called with what the task's file holds and the address for CDP,
    it returns the answer; a coroutine is awaited."""
    agent_version: str = "1"
    """Of the agent's own code: raise it when that changes, or old results stand."""
    address: str = ""
    """The browser's, which the worker fills in."""

    def __post_init__(self) -> None:
        if bool(self.command) == bool(self.entry_point):
            raise ValueError("give system.command=[program, …] or system.entry_point=package.module:function")

    @property
    def _words(self) -> list[str]:
        return list(self.command) or [sys.executable, "-m", entry_point.__name__, self.entry_point]

    def solve(self, task: Task, session: "Session") -> str:
        if not self.address:
            raise ConfigError("system external: its browser was started without an address for CDP")
        session.start()
        visits = Visits(session)
        refuse_files(session)
        with scratch_folder() as scratch:
            answer = scratch / "answer"
            with self._running(task, session, scratch, answer) as process:
                while process.poll() is None:
                    visits.record()
                    session.check_clock()
            visits.record()
            said = _read(scratch / "stderr")[-SAID:]
            session.log.info("the command ended with status %d%s", process.returncode, f": {said}" if said else "")
            last = said.strip().splitlines()[-1:] or ["it said nothing"]
            if self.entry_point and process.returncode == entry_point.NOT_FOUND:
                raise ConfigError(f"system.entry_point={self.entry_point}: {last[0]}")
            if process.returncode:
                raise AgentFault(f"the command ended with status {process.returncode}: {last[0]}")
            return _read(answer if answer.is_file() else scratch / "stdout").strip()

    @contextmanager
    def _running(
        self, task: Task, session: "Session", scratch: Path, answer: Path
    ) -> Iterator["subprocess.Popen[bytes]"]:
        """In a session of its own, so that whatever it starts ends with it."""
        order = scratch / "task.json"
        order.write_text(json.dumps(self._order(task, session)))
        paths = {"WEBASSAY_TASK": str(order), "WEBASSAY_ANSWER": str(answer), "WEBASSAY_CDP": self.address}
        with (scratch / "stdout").open("wb") as out, (scratch / "stderr").open("wb") as trouble:
            process = self._start(out, trouble, (child_environment() if self.entry_point else os.environ) | paths)
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _start(self, out: IO[bytes], trouble: IO[bytes], variables: dict[str, str]) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=trouble,
                env=variables,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        except OSError as error:
            raise ConfigError(f"system.command={self.command}: {error.strerror}: {error.filename}") from None

    def _order(self, task: Task, session: "Session") -> dict[str, object]:
        return {
            "task_id": task.task_id,
            "intent": task.intent,
            "start_url": session.start_url(),
            "sites": {name: session.url(name, "") for name in task.sites},
            "cdp": self.address,
        }


class Visits:
    """Each page that the command's browser opens is a step: logged, photographed, and counted against its budget."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._opened: list[tuple[Page, str]] = []
        for page in session.context.pages:
            page.on("framenavigated", self._note)
        session.context.on("page", lambda page: page.on("framenavigated", self._note))

    def record(self) -> None:
        """Called again and again, since the browser's messages are only read in between."""
        self._session.page.wait_for_timeout(LOOK_SECONDS * 1000)
        while self._opened:
            page, url = self._opened.pop(0)
            if not page.is_closed():
                self._session.page = page
                self._session.act("visit_url", {"url": url}, "", lambda: None)

    def _note(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self._opened.append((frame.page, frame.url))


def refuse_files(session: "Session") -> None:
    """Over CDP nothing asks the session before a page is opened, and proxies are not asked about files."""

    def refuse(route: Route) -> None:
        session.blocked.append("file:")
        route.abort()

    session.context.route("file://**", refuse)


def _read(path: Path) -> str:
    """Bounded, whatever the command wrote."""
    with path.open("rb") as stream:
        return stream.read(LARGEST_ANSWER).decode("utf-8", "replace")
