"""Steps of an agent that a model drives: what cannot be done is told to the model, and pages are waited for."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error, Request, TimeoutError

from webassay.errors import AgentFault, OverBudget
from webassay.systems.browser import may_visit

if TYPE_CHECKING:
    from webassay.systems.session import Session

QUIET_SECONDS = 0.1
LONGEST_LINE = 300


class BadReply(Exception):
    """No step can be made of what the model said; the text is for the model."""


class Acting:
    """Does a step at a time; a page is still when nothing has been under way for two looks in a row."""

    def __init__(self, session: "Session", settle_seconds: float) -> None:
        self.session, self._most = session, settle_seconds
        self._under_way: set[Request] = set()
        session.context.on("request", lambda request: self._under_way.add(request))
        session.context.on("requestfinished", lambda request: self._under_way.discard(request))
        session.context.on("requestfailed", lambda request: self._under_way.discard(request))

    def start(self) -> None:
        self.visit(self.session.start_url(), "Open the start page")

    def do(self, action: str, arguments: dict[str, Any], thought: str, what: Callable[[], object]) -> str:
        """What went wrong, in a line; empty when it was done. Every step is logged and leaves a picture."""
        trouble = ""

        def attempt() -> None:
            nonlocal trouble
            try:
                what()
            except OverBudget:
                raise
            except (Error, AgentFault) as error:
                self._check_site(error)
                trouble = one_line(error)
            self.settle()

        self._under_way.clear()  # what an earlier page left open says nothing about this step
        try:
            self.session.act(action, arguments, thought, attempt)
        except TimeoutError as error:
            self._check_site(error)
            trouble = trouble or "the page has not finished loading"
            self.session.photograph()
        return trouble

    def visit(self, url: str, thought: str) -> str:
        return self.do("visit_url", {"url": url}, thought, lambda: self.goto(url))

    def goto(self, url: str) -> None:
        """Where the model may not go it is told so."""
        if not may_visit(url, self.session.origins):
            self.session.blocked.append(url)
            sites = ", ".join(sorted(self.session.origins or ["http and https"]))
            raise AgentFault(f"{url[: LONGEST_LINE // 2]} is not among the sites of this task: {sites}")
        self.session.leave_hung_page()
        self.session.page.goto(url, wait_until="load")

    def settle(self) -> None:
        """Instead of a fixed sleep; bounded, since some pages never rest."""
        until, quiet = time.monotonic() + self._most, 0
        while quiet < 2 and time.monotonic() < until:
            self.session.on_open_page(lambda page: page.wait_for_timeout(QUIET_SECONDS * 1000))
            quiet = 0 if self._under_way else quiet + 1

    def _check_site(self, error: Exception) -> None:
        """Time-outs all look alike: where the site is gone, it is not the model's step that failed."""
        if isinstance(error, TimeoutError) and not self.session.sites.answers(self.session.task.sites):
            raise error


def one_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:LONGEST_LINE]
