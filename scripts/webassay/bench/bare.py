"""The script one would write without webassay: Playwright, the same actions, a HAR and pictures, and nothing else."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from playwright.sync_api import Page

from webassay.core.task import Task
from webassay.sites.site import Sites
from webassay.systems.oracle import Oracle
from webassay.systems.runner import Surroundings

if TYPE_CHECKING:
    from webassay.systems.session import Session


class BareSession:
    """What the oracle uses of a Session."""

    def __init__(self, task: Task, page: Page, sites: Sites, folder: Path) -> None:
        self.task, self.page, self.sites, self.folder = task, page, sites, folder
        self._pictures = 0

    def url(self, site: str, path: str = "/") -> str:
        return str(self.sites.environment["sites"][site]["url"]) + path

    def start(self, thought: str = "") -> None:
        site = self.task.sites[0]
        self.visit(self.task.start_urls[0].replace(f"__{site.upper()}__", self.url(site, "")))

    def visit(self, url: str, thought: str = "") -> None:
        self.page.goto(url)
        self._photograph()

    def click(self, selector: str, thought: str = "") -> None:
        self.page.locator(selector).click()
        self._photograph()

    def type(self, selector: str, text: str, thought: str = "", enter: bool = False) -> None:
        self.page.locator(selector).fill(text)
        if enter:
            self.page.locator(selector).press("Enter")
        self._photograph()

    def select(self, selector: str, value: str, thought: str = "") -> None:
        self.page.locator(selector).select_option(value)
        self._photograph()

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text().strip()

    def _photograph(self) -> None:
        self.page.wait_for_load_state("load")
        self._pictures += 1
        self.page.screenshot(path=self.folder / f"screenshot_{self._pictures}.png")


def bare_attempt(task: Task, folder: Path, around: Surroundings) -> str:
    folder.mkdir(parents=True)
    around.sites.reset()
    cookies: Any = around.sites.login(task)
    context = around.browser.new_context(
        viewport=around.settings["viewport"],
        record_har_path=folder / "network.har",
        record_har_content="embed",
        record_har_mode="full",
        locale="en-GB",
        timezone_id="UTC",
    )
    context.add_cookies(cookies)
    session = BareSession(task, context.new_page(), around.sites, folder)
    answer = Oracle().solve(task, cast("Session", session))
    context.close()
    return answer
