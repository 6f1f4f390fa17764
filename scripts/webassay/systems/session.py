"""The agent's hands and eyes: each action is logged, done, waited for and photographed."""

import io
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Dialog, Error, Page, Request, Response, TimeoutError

from webassay.core.task import Task
from webassay.core.trajectory import EventLog
from webassay.errors import AgentFault, EnvironmentFault, OverBudget
from webassay.evidence.redact import Redactor
from webassay.llm.client import Client
from webassay.sites.site import Sites
from webassay.systems.browser import HERE, NO_PEERS, Traits, confine_sockets, may_visit
from webassay.systems.captchas import Captchas
from webassay.systems.downloads import Downloads
from webassay.systems.firefox import CONNECTION_ERRORS as FIREFOX_ERRORS
from webassay.systems.firefox import confine_requests, is_firefox, proxy_for
from webassay.systems.initiators import Initiators
from webassay.systems.questions import Questions

CONNECTION_ERRORS = (
    *("ERR_CONNECTION_", "ERR_NAME_", "ERR_INTERNET_", "ERR_NETWORK_", "ERR_ADDRESS_UNREACHABLE", "ERR_TIMED_OUT"),
    *("ERR_CERT_", "ERR_SSL_", "ERR_BAD_SSL_", "ERR_HTTP2_", "ERR_QUIC_", "ERR_SOCKET_"),
    *("ERR_EMPTY_RESPONSE", "ERR_INVALID_HTTP_RESPONSE", "ERR_RESPONSE_HEADERS_", "ERR_INCOMPLETE_CHUNKED_ENCODING"),
    *("ERR_CONTENT_LENGTH_MISMATCH", "ERR_CONTENT_DECODING_FAILED", *FIREFOX_ERRORS),
)
"""The browsers' names, or how they begin, for what is wrong with a site and never with an address or a page."""
MOST_PAGES = 20
MOST_DIALOGS = 20
LONGEST_MESSAGE = 500
Given = TypeVar("Given")


class System(Protocol):
    """What a system under test has to have; errors it lets out are its own failure, never an abort."""

    def solve(self, task: Task, session: "Session") -> str:
        """Do the task and return the final answer: a structured response as JSON."""
        ...


class Session(Questions):
    """One attempt at one task in a context of its own."""

    def __init__(
        self,
        task: Task,
        attempt: int,
        folder: Path,
        browser: Browser,
        sites: Sites,
        settings: dict[str, Any],
        redactor: Redactor,
        har: Path,
        log: logging.Logger,
        model: Client | None = None,
        traits: Traits = HERE,
    ) -> None:
        super().__init__(folder, settings, redactor, model)
        self.task, self.attempt, self.sites, self.log = task, attempt, sites, log
        anywhere = sites.environment.get("any_site")
        self.origins = None if anywhere else {str(sites.environment["sites"][name]["url"]) for name in task.sites}
        """None: those of all the web."""
        self.blocked: list[str] = []
        self.screenshots: list[str] = []
        self.crashed = False
        self.unreachable = ""
        """The first failed connection to one of the task's own sites."""
        self.site_errors = 0
        self._events = EventLog(folder)
        self._rounds = 0
        self._dialogs = 0
        self._hung: Page | None = None
        self.context = self._open(browser, har, traits)
        self.downloads = Downloads(self.context, traits.downloads, traits.download_bytes, folder, redactor)
        self.captchas = Captchas(self.context, traits.captcha_seconds, log)
        self.page = self.context.new_page()
        self.initiators = self._listen()

    def _open(self, browser: Browser, har: Path, traits: Traits) -> BrowserContext:
        context = browser.new_context(
            viewport=self.settings["viewport"],
            service_workers="block",
            proxy=proxy_for(browser, self.origins),
            record_har_path=har,
            record_har_content="embed",
            record_har_mode="full",
            accept_downloads=traits.downloads is not None,
            locale=self.sites.environment["locale"],
            timezone_id=self.sites.environment["timezone"],
        )
        context.set_default_timeout(self.settings["action_seconds"] * 1000)
        confine_sockets(context, self.origins, self.blocked)
        if is_firefox(browser):
            confine_requests(context, self.origins, self.blocked)
        if not traits.ours:
            context.add_init_script(NO_PEERS)
        context.on("page", self._follow)
        context.on("response", self._count_errors)
        context.on("requestfailed", self._note_failure)
        return context

    def _listen(self) -> Initiators | None:
        """Where a site of the task says which requests only its own scripts make."""
        configured = [self.sites.environment["sites"][name] for name in self.task.sites]
        wanted = {str(write) for site in configured for write in site["own_writes"]}
        if not wanted:
            return None
        initiators = Initiators(self.context, wanted, self.log)
        initiators.attach(self.page)
        self.context.on("page", initiators.attach)
        return initiators

    def _follow(self, page: Page) -> None:
        """A page that opens becomes the current one, as it does for a person; too many are closed again."""
        if len(self.context.pages) > MOST_PAGES:
            self.log.info("closed a page: %d are open", MOST_PAGES)
            page.close()
            return
        self.page = page
        page.on("crash", self._note_crash)
        page.on("dialog", self._answer)
        page.on("close", self._fall_back)

    def _note_crash(self, _: Page) -> None:
        self.crashed = True

    def _answer(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs <= MOST_DIALOGS:  # told; a page can ask without end
            self.log.info("answered a %s: %s", dialog.type, dialog.message[:LONGEST_MESSAGE])
        if dialog.type == "beforeunload":
            dialog.accept()  # else nobody could leave the page
        else:
            dialog.dismiss()

    def _fall_back(self, page: Page) -> None:
        if page is self.page and self.context.pages:
            self.page = self.context.pages[-1]

    def _count_errors(self, response: Response) -> None:
        if response.status >= 500:
            self.site_errors += 1

    def _note_failure(self, request: Request) -> None:
        """A click on a dead site raises nothing: the error page is all the agent would see."""
        failure = request.failure or ""
        if any(word in failure for word in ("ERR_PROXY", "ERR_TUNNEL", "NS_ERROR_PROXY")):
            self.blocked.append(urlsplit(request.url).hostname or "")
        if any(code in failure for code in CONNECTION_ERRORS) and _is_a_page(request) and self._is_own(request.url):
            self.unreachable = self.unreachable or f"{failure} at {self.redactor.logged(request.url)}"

    def _is_own(self, url: str) -> bool:
        """Of the task's own sites; on the open web that is where it starts, not wherever an agent or a page may go."""
        if self.origins is not None:
            return may_visit(url, self.origins)
        starts = [urlsplit(self.address(one)) for one in self.task.start_urls or (self.start_url(),)]
        places = {(start.hostname, port) for start in starts for port in (start.port, None, 80, 443)}
        return (urlsplit(url).hostname, urlsplit(url).port) in places

    def url(self, site: str, path: str = "/") -> str:
        return str(self.sites.environment["sites"][site]["url"]) + path

    def start_url(self) -> str:
        named = self.task.start_urls[0] if self.task.start_urls else self.sites.environment.get("start_url")
        return self.address(named or f"__{self.task.sites[0].upper()}__/")

    def address(self, url: str) -> str:
        """With the address of each of the task's sites in its place."""
        for name in self.task.sites:
            url = url.replace(f"__{name.upper()}__", self.url(name, ""))
        return url

    def start(self, thought: str = "") -> None:
        self.visit(self.start_url(), thought or "Open the start page")

    def visit(self, url: str, thought: str = "") -> None:
        if not may_visit(url, self.origins):
            self.blocked.append(url)
            raise AgentFault(f"{url} is not among the task's sites")
        self.leave_hung_page()
        self.act("visit_url", {"url": url}, thought, lambda: self.page.goto(url, wait_until="load"))

    def leave_hung_page(self) -> None:
        """For a new one, since nothing can be opened where a script never ends."""
        if self._hung is self.page:
            self.context.new_page()  # which is the current one then
            self._hung.close()
        self._hung = None

    def click(self, selector: str, thought: str = "") -> None:
        target = self.page.locator(selector)
        self.act("left_click", {"selector": selector, "coordinate": self._centre(selector)}, thought, target.click)

    def type(self, selector: str, text: str, thought: str = "", enter: bool = False) -> None:
        """Replace what stands in a field."""
        target = self.page.locator(selector)

        def fill() -> None:
            target.fill(text)
            if enter:
                target.press("Enter")

        arguments = {"selector": selector, "coordinate": self._centre(selector), "text": text, "press_enter": enter}
        self.act("type", arguments, thought, fill)

    def select(self, selector: str, value: str, thought: str = "") -> None:
        target = self.page.locator(selector)
        self.act("select", {"selector": selector, "value": value}, thought, lambda: target.select_option(value))

    def scroll(self, pixels: int, thought: str = "") -> None:
        """Turn the wheel; as in webeval's logs, up is positive."""
        self.act("scroll", {"pixels": pixels}, thought, lambda: self.page.mouse.wheel(0, -pixels))

    def back(self, thought: str = "") -> None:
        self.act("history_back", {}, thought, lambda: self.page.go_back(wait_until="load"))

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text().strip()

    def terminate(self, answer: str) -> None:
        """The last step of every answered task; done by the runner when `solve` returns."""
        self._record("terminate", {"status": "success", "answer": answer}, "")

    def close(self) -> None:
        """Closing the context is what makes Playwright write the HAR."""
        self._events.close()
        self.context.close()

    def _centre(self, selector: str) -> list[int]:
        box = self.page.locator(selector).bounding_box()
        return [round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)] if box else []

    def act(self, action: str, arguments: dict[str, Any], thought: str, do: Callable[[], object]) -> None:
        """One step: counted, logged, done, waited for and photographed."""
        if self._rounds >= self.settings["max_rounds"]:
            raise OverBudget(f"more than {self.settings['max_rounds']} actions")
        self.check_clock()
        self._rounds += 1
        self._record(action, arguments, thought)
        do()
        self.on_open_page(lambda page: page.wait_for_load_state("load"))
        self.on_open_page(self.captchas.wait)
        self.downloads.check()
        if self.unreachable:
            raise EnvironmentFault(f"the site was unreachable: {self.unreachable}")
        self.photograph()

    def on_open_page(self, look: Callable[[Page], Given]) -> Given:
        """On the current page; where that closes itself meanwhile, as a popup may, on one that is left or a new one."""
        for _ in range(MOST_PAGES):
            page = self._open_page()
            try:
                return look(page)
            except Error:
                browser = self.context.browser
                if not page.is_closed() or browser is None or not browser.is_connected():
                    raise
        return look(self._open_page())

    def _open_page(self) -> Page:
        if self.page.is_closed():
            self._fall_back(self.page)
        if self.page.is_closed():
            self.context.new_page()  # which is the current one then
        return self.page

    def _record(self, action: str, arguments: dict[str, Any], thought: str) -> None:
        full = self.redactor.logged({"action": action} | arguments | {"thoughts": thought})
        self._events.write(
            message=f"{action}( {self.redactor.logged(thought)} )",
            url=self.redactor.logged(self.page.url),
            action=action,
            arguments=full,
        )

    def photograph(self) -> None:
        name = f"screenshot_{len(self.screenshots) + 1}.png"
        (self.folder / name).write_bytes(self.on_open_page(self._screenshot))
        self.screenshots.append(name)

    def _screenshot(self, page: Page) -> bytes:
        try:
            return page.screenshot()
        except TimeoutError:
            self.log.warning("the page hangs: there is no picture of it")
            self._hung = page
            return self._blank()
        except Error as error:
            if "Unable to capture screenshot" not in str(error):
                raise
            self.log.warning("the screenshot failed, trying once more")  # seen under load; the cause is Chromium's
            return page.screenshot()

    def _blank(self) -> bytes:
        """In its place, so that every step has a picture."""
        picture, viewport = io.BytesIO(), self.settings["viewport"]
        Image.new("RGB", (viewport["width"], viewport["height"]), "gray").save(picture, "PNG")
        return picture.getvalue()


def _is_a_page(request: Request) -> bool:
    """What a window shows, not a frame in it."""
    if not request.is_navigation_request():
        return False
    try:
        return request.frame.parent_frame is None
    except Error:  # of a window that is just opening
        return True
