"""What pages say when the agent has finished: kept for judges, so that none needs a live site.

Nothing here may change other evidence. The agent's own page is read with its network cut off; other pages are opened
when the recording and the state after the run are safe, in a context that has the agent's cookies and records nothing.
Pages and locators are hostile: every read is bounded in time and size, and what cannot be read is an entry with its
error. Only a site that cannot be reached breaks the attempt off.

Of the original harness's functions only the one that names the last post is known: 65 tasks of its 812 have it. The
others ask a shop or a forum with an administrator's rights (10 addresses, 22 locators), which is left undone.
"""

import time
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, TimeoutError

from webassay.core.last_post import LAST_POST, UNKNOWN, is_unknown, post_of
from webassay.core.task import PageRead
from webassay.errors import EnvironmentFault
from webassay.systems.browser import confine_sockets, may_visit
from webassay.systems.failures import broken_surroundings
from webassay.systems.firefox import confine_requests, is_firefox, proxy_for
from webassay.systems.session import CONNECTION_ERRORS, Session

LAST = "last"
READ_SECONDS = 5.0
LOAD_SECONDS = 15.0
ALL_SECONDS = 75.0
"""For all of a task's pages; well within the grace that a supervisor gives a silent worker."""
MOST = 2_000_000
"""Characters of one entry."""
SETTLE_SECONDS = 3.0
"""The original harness always sleeps as long, for scripts that fill a page; here only while requests are under way."""
QUIET_SECONDS = 0.1
IN_LOCATORS = ("document.", "[...document.")

WHOLE_PAGE = """(document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "")
  + (document.documentElement ? document.documentElement.outerHTML : "")"""
READING = """async () => {
  for (const prepare of [%s]) { try { await prepare() } catch {} }
  try {
    const value = await (() => %s
    )();
    const size = typeof value === "string" ? value.length
      : value !== null && typeof value === "object" && !(value instanceof Node) ? JSON.stringify(value).length : 0;
    return size > %d ? {size} : {value};
  } catch (error) { return {thrown: String(error).slice(0, 300)} }
}"""

Entry = dict[str, Any]


class Pages:
    """Reads the agent's own page at once, the others by `read_rest`, after the session has been closed."""

    def __init__(self, wanted: Sequence[PageRead], session: Session) -> None:
        self._wanted, self._session = wanted, session
        self._deadline = time.monotonic() + ALL_SECONDS
        self._read: dict[PageRead, Entry] = {}
        self._final_url = session.page.url
        self._cookies: Any = []
        if not wanted:
            return
        try:
            self._cookies = session.context.cookies()
        except Error as error:
            self._read = {read: _unread(f"the agent closed its browser: {_line(error)}") for read in wanted}
            return
        if own := [read for read in wanted if read.url == LAST and not is_unknown(read.url, read.locator)]:
            session.context.route("**/*", lambda route: route.abort())
            self._all(own, session.page)

    def read_rest(self, browser: Browser) -> dict[str, Any]:
        """The content of pages.json, redacted."""
        session = self._session
        rest = [read for read in self._wanted if read not in self._read]
        for read in rest:
            if problem := self._refusal(read):
                self._read[read] = _unread(problem)
        addresses = dict.fromkeys(read.url for read in rest if read not in self._read)
        if addresses:
            context = _open(browser, session, self._cookies)
            try:
                for url in addresses:
                    self._visit(url, [read for read in rest if read.url == url and read not in self._read], context)
            finally:
                context.close()
            if broken := broken_surroundings(session, browser):
                raise EnvironmentFault(broken)
        redactor = session.redactor
        entries = [_named(read) | redactor.value(self._read[read]) for read in self._wanted]
        return {"final_url": redactor.text(redactor.url(self._final_url)), "pages": entries}

    def _refusal(self, read: PageRead) -> str:
        if is_unknown(read.url, read.locator):
            return UNKNOWN
        if not may_visit(self._address(read.url), self._session.origins):
            return "not among the task's sites"
        return ""

    def _address(self, url: str) -> str:
        return post_of(self._final_url) if url == LAST_POST else self._session.address(url)

    def _visit(self, url: str, reads: list[PageRead], context: BrowserContext) -> None:
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.dismiss())
        try:
            _load(page, self._address(url))
        except Error as error:
            self._check_site(error)
            self._read |= dict.fromkeys(reads, _unread(f"did not load: {_line(error)}"))
        else:
            self._all(reads, page)
        finally:
            page.close()

    def _check_site(self, error: Error) -> None:
        if any(code in str(error) for code in CONNECTION_ERRORS):
            raise EnvironmentFault(f"the site was unreachable: {self._session.redactor.logged(_line(error))}")
        if isinstance(error, TimeoutError) and not self._session.sites.answers(self._session.task.sites):
            raise EnvironmentFault(f"the site no longer answers: {_line(error)}")

    def _all(self, reads: Sequence[PageRead], page: Page) -> None:
        """One locator that never ends takes the page with it: those after it are not tried."""
        for number, read in enumerate(reads):
            left = min(READ_SECONDS, self._deadline - time.monotonic())
            try:
                self._read[read] = _read(read, page, left) if left > 0 else _unread("no time was left")
            except TimeoutError:
                hung = _unread(f"the page did not answer within {READ_SECONDS:g} s")
                self._read |= dict.fromkeys(reads[number:], hung)
                return
            except Error as error:  # no JavaScript at all, a page that is closed
                self._read[read] = {"content": "", "error": _line(error)}


def _read(read: PageRead, page: Page, seconds: float) -> Entry:
    if (locator := read.locator.strip()) and not locator.startswith(IN_LOCATORS):
        return _unread("a locator begins with document. or [...document.")
    prepare = ", ".join(f"() => {action}" for action in read.prep_actions)
    script = READING % (prepare, locator or WHOLE_PAGE, MOST)
    # unlike `evaluate`, this one comes back from a page that hangs
    found = page.wait_for_function(script, timeout=seconds * 1000).json_value()
    if "size" in found:
        return _unread(f"{found['size']} characters, at most {MOST} are kept")
    if "thrown" in found:
        return {"content": "", "error": str(found["thrown"])}
    text = str(found.get("value"))[:MOST]  # as the harness writes what is no text: None, True, a list
    return {"content": text.encode("utf-8", "replace").decode(), "error": ""}


def _open(browser: Browser, session: Session, cookies: Any) -> BrowserContext:
    """As the agent's own, without a recording."""
    context = browser.new_context(
        viewport=session.settings["viewport"],
        service_workers="block",
        proxy=proxy_for(browser, session.origins),
        accept_downloads=False,
        locale=session.sites.environment["locale"],
        timezone_id=session.sites.environment["timezone"],
    )
    context.set_default_timeout(LOAD_SECONDS * 1000)
    confine_sockets(context, session.origins, [])
    if is_firefox(browser):
        confine_requests(context, session.origins, [])
    context.add_cookies(cookies)
    return context


def _load(page: Page, url: str) -> None:
    under_way: set[Request] = set()
    page.on("request", lambda request: under_way.add(request))
    page.on("requestfinished", lambda request: under_way.discard(request))
    page.on("requestfailed", lambda request: under_way.discard(request))
    page.goto(url, wait_until="load")
    until = time.monotonic() + SETTLE_SECONDS
    while True:
        page.wait_for_timeout(QUIET_SECONDS * 1000)
        if not under_way or time.monotonic() > until:
            return


def _named(read: PageRead) -> Entry:
    prepared = {"prep_actions": list(read.prep_actions)} if read.prep_actions else {}
    return {"url": read.url, "locator": read.locator} | prepared


def _unread(error: str) -> Entry:
    return {"content": None, "error": error}


def _line(error: Error) -> str:
    return str(error).strip().split("\n")[0]
