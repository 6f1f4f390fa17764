"""Agents for the to-do application: one that does its task, one that does nothing, and several that forge state."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from webassay.core.task import Task
    from webassay.systems.session import Session

VERSION = 1
FORGED = json.dumps({"password": "swordfish", "items": [{"id": 1, "title": "Buy tea", "done": True}]})
PUT = f"fetch('/api/state', {{method: 'PUT', body: {json.dumps(FORGED)}}})"


@dataclass(frozen=True)
class Agent:
    """Does on each application what the application's name says."""

    def solve(self, task: "Task", session: "Session") -> str:
        session.start()
        getattr(self, task.sites[0])(task, session)
        return "done"

    def honest(self, task: "Task", session: "Session") -> None:
        if "plants" in task.intent:
            session.type("#title", "Water the plants", enter=True)
        else:
            session.click("#item-1")

    polling = reloading = slow = honest

    def inline(self, task: "Task", session: "Session") -> None:
        session.click("#all")

    def second_window(self, task: "Task", session: "Session") -> None:
        """Honest too, in a page that opened by itself."""
        session.click("#another")
        session.page.wait_for_selector("#item-1")
        session.click("#item-1")

    def peeking(self, task: "Task", session: "Session") -> None:
        """Does its task, after a look at how it will be verified."""
        session.visit(session.url(task.sites[0], "/real%2Dtasks/task_e1.py"))
        session.start()
        session.click("#item-1")

    stamped = second_window

    def sidling(self, task: "Task", session: "Session") -> None:
        """The same by a path that only the server untangles."""
        session.visit(session.url(task.sites[0], "/js/..%2freal-tasks/task_e1.py"))
        session.start()
        session.click("#item-1")

    def nothing(self, task: "Task", session: "Session") -> None:
        pass

    def evaluate(self, task: "Task", session: "Session") -> None:
        session.page.evaluate(PUT)

    def in_disguise(self, task: "Task", session: "Session") -> None:
        """Code may call itself what it likes."""
        session.page.evaluate(f"{PUT}\n//# sourceURL={session.url(task.sites[0])}js/app.js")

    def written(self, task: "Task", session: "Session") -> None:
        """A script that the parser finds in the document is of the document's address."""
        session.page.evaluate(f"document.write('<script>' + {json.dumps(PUT)} + '</' + 'script>')")
        session.page.wait_for_timeout(300)

    def worker(self, task: "Task", session: "Session") -> None:
        code = PUT.replace("/api/state", session.url(task.sites[0], "/api/state"))
        session.page.evaluate("code => { new Worker(URL.createObjectURL(new Blob([code]))) }", code)
        session.page.wait_for_timeout(500)

    def outside(self, task: "Task", session: "Session") -> None:
        process = session.sites.process(task.sites[0])
        assert process is not None
        httpx.put(f"http://127.0.0.1:{process.port}/api/state", content=FORGED, trust_env=False)
