"""What each action of the table does in the browser."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote_plus, urlsplit

import msgspec
from playwright.sync_api import Page

from webassay.systems.acting import Acting, BadReply
from webassay.systems.browser import origin
from webassay.systems.keyboard import press
from webassay.systems.websurfer.calls import (
    Action,
    HistoryBack,
    Key,
    LeftClick,
    Memorize,
    MouseMove,
    Point,
    Scroll,
    Type,
    VisitUrl,
    Wait,
    WebSearch,
)
from webassay.systems.websurfer.pictures import Scale

LONGEST_WAIT = 30.0
WHOLE_ADDRESS = re.compile(r"(https?|file|about):", re.IGNORECASE)


@dataclass(frozen=True)
class Hand:
    """Carries out actions; coordinates are logged in the page's pixels, which are those of the screenshots."""

    acting: Acting
    scale: Scale
    search_url: str

    def carry_out(self, action: Action, thought: str) -> str:
        """What went wrong, in a line; empty when it was done."""
        given = {key: value for key, value in msgspec.to_builtins(action).items() if value is not None}
        name = given.pop("action")
        point = self._point(getattr(action, "coordinate", None))
        if point is not None:
            given["coordinate"] = [round(side, 1) for side in point]
        if isinstance(action, VisitUrl):
            return self.acting.visit(self._address(action.url), thought)
        return self.acting.do(name, given, thought, self._deed(action, point))

    def _deed(self, action: Action, point: Point | None) -> Callable[[], object]:
        page = self.acting.session.page
        match action:
            case Key(keys=keys):
                return lambda: press(page, keys)
            case Type():
                return lambda: _type(page, action, point)
            case MouseMove() if point:
                return lambda: page.mouse.move(*point)
            case LeftClick() if point:
                return lambda: page.mouse.click(*point)
            case Scroll(pixels=pixels):
                return lambda: _scroll(page, pixels, point)
            case WebSearch(query=query):
                return lambda: self.acting.goto(self._search(query))
            case HistoryBack():
                return lambda: page.go_back(wait_until="load")
            case Wait(time=seconds):
                return lambda: page.wait_for_timeout(min(max(seconds, 0.0), LONGEST_WAIT) * 1000)
            case Memorize():
                return lambda: None  # the conversation shows it from now on
        raise BadReply("the task is over after terminate")

    def _point(self, given: Point | None) -> Point | None:
        if given is None:
            return None
        if not self.scale.holds(*given):
            width, height = self.scale.model
            raise BadReply(f"coordinate {list(given)} is outside of the screen, which is {width}x{height}")
        return self.scale.to_page(*given)

    def _address(self, url: str) -> str:
        """As webeval reads it; but a host of the task's own sites gets the scheme and port that it has."""
        url = url.strip()
        if WHOLE_ADDRESS.match(url):
            return url
        if " " in url:
            return self._search(url)
        for site in self.acting.session.origins or ():
            if origin(site)[1] == _host(url):
                return site.rstrip("/") + "/" + url.partition("/")[2]
        return f"https://{url}"

    def _search(self, query: str) -> str:
        return self.search_url.replace("{query}", quote_plus(query))


def _host(url: str) -> str | None:
    try:
        return urlsplit(f"//{url}").hostname
    except ValueError:  # no address: told to the model when it is to be opened
        return None


def _type(page: Page, action: Type, point: Point | None) -> None:
    if point:
        page.mouse.click(*point)
    if action.delete_existing_text:
        page.keyboard.press("ControlOrMeta+A")
        page.keyboard.press("Backspace")
    page.keyboard.type(action.text)
    if action.press_enter:
        page.keyboard.press("Enter")


def _scroll(page: Page, pixels: float, point: Point | None) -> None:
    if point:
        page.mouse.move(*point)
    page.mouse.wheel(0, -pixels)
