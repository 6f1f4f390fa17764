"""What each action of the tool does in the browser; it is logged by the names that our other agents have."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from playwright.sync_api import Page

from webassay.systems.acting import Acting, BadReply
from webassay.systems.keyboard import held, press

WAIT_SECONDS = 2.0
MOST_ACTIONS = 20
"""Of one call."""
SIDE = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]


class Step(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    pass


class Click(Step, frozen=True, tag="click"):
    x: SIDE
    y: SIDE
    button: Literal["left", "right", "wheel", "back", "forward"] = "left"
    keys: list[str] | None = None


class DoubleClick(Step, frozen=True, tag="double_click"):
    x: SIDE
    y: SIDE
    keys: list[str] | None = None


class Point(msgspec.Struct, frozen=True):
    x: SIDE
    y: SIDE


class Drag(Step, frozen=True, tag="drag"):
    path: Annotated[list[Point], msgspec.Meta(min_length=2, max_length=1000)]
    keys: list[str] | None = None


class Keypress(Step, frozen=True, tag="keypress"):
    keys: list[str]


class Move(Step, frozen=True, tag="move"):
    x: SIDE
    y: SIDE
    keys: list[str] | None = None


class Screenshot(Step, frozen=True, tag="screenshot"):
    pass


class Scroll(Step, frozen=True, tag="scroll"):
    x: SIDE
    y: SIDE
    scroll_x: SIDE = 0
    scroll_y: SIDE = 0
    """Down is positive."""
    keys: list[str] | None = None


class Type(Step, frozen=True, tag="type"):
    text: str


class Wait(Step, frozen=True, tag="wait"):
    pass


Action = Click | DoubleClick | Drag | Keypress | Move | Screenshot | Scroll | Type | Wait
CLICKS = {"left": "left_click", "right": "right_click", "wheel": "middle_click"}
Deed = tuple[str, dict[str, Any], Callable[[], object]]
"""Its name and arguments in the log, and what is done."""


@dataclass(frozen=True)
class Hand:
    acting: Acting

    def computer(self, call: dict[str, Any], thought: str, acknowledged: list[str]) -> str:
        """All actions of a call, until one fails: what went wrong, in a line."""
        given = call.get("actions") or [call.get("action")]
        if len(given) > MOST_ACTIONS:
            raise BadReply(f"{len(given)} actions in one call")
        checks = {"acknowledged_safety_checks": acknowledged} if acknowledged else {}
        for action in [_read(one) for one in given]:
            name, arguments, do = self._deed(action)
            if trouble := self.acting.do(name, arguments | checks, thought, do):
                return trouble
        return ""

    def function(self, call: dict[str, Any], thought: str) -> str:
        page = self.acting.session.page
        match call.get("name"), _arguments(call):
            case "goto", {"url": str(url)}:
                return self.acting.visit(url.strip(), thought)
            case "back", _:
                return self.acting.do("history_back", {}, thought, lambda: page.go_back(wait_until="load"))
        raise BadReply(f"there is no function {str(call.get('name'))[:80]!r} with such arguments")

    def _deed(self, action: Action) -> Deed:
        page = self.acting.session.page
        match action:
            case Keypress(keys=keys):
                return "key", {"keys": keys}, lambda: press(page, keys)
            case Type(text=text):
                return "type", {"text": text, "press_enter": False}, lambda: page.keyboard.type(text)
            case Wait():
                return "wait", {"time": WAIT_SECONDS}, lambda: page.wait_for_timeout(WAIT_SECONDS * 1000)
            case Screenshot():
                return "screenshot", {}, lambda: None
            case Drag(path=path, keys=keys):
                points = [self._inside(point.x, point.y) for point in path]
                return "left_click_drag", {"path": points}, lambda: _drag(page, points, keys)
        return self._pointed(action, page)

    def _pointed(self, action: Any, page: Page) -> Deed:
        """Actions at a point, with keys held down where the model says so."""
        x, y = self._inside(action.x, action.y)
        at, keys = {"coordinate": [x, y]} | ({"keys": action.keys} if action.keys else {}), action.keys
        match action:
            case Click(button="back"):
                return "history_back", {}, lambda: page.go_back(wait_until="load")
            case Click(button="forward"):
                return "history_forward", {}, lambda: page.go_forward(wait_until="load")
            case Click(button=button):
                side: Any = "middle" if button == "wheel" else button
                return CLICKS[button], at, lambda: _with(page, keys, lambda: page.mouse.click(x, y, button=side))
            case DoubleClick():
                return "double_click", at, lambda: _with(page, keys, lambda: page.mouse.dblclick(x, y))
            case Scroll(scroll_x=right, scroll_y=down):
                arguments = at | {"pixels": -down} | ({"pixels_right": right} if right else {})
                return "scroll", arguments, lambda: _with(page, keys, lambda: _scroll(page, x, y, right, down))
        return "mouse_move", at, lambda: _with(page, keys, lambda: page.mouse.move(x, y))

    def _inside(self, x: float, y: float) -> list[float]:
        viewport = self.acting.session.settings["viewport"]
        if not (0 <= x <= viewport["width"] and 0 <= y <= viewport["height"]):
            size = f"{viewport['width']}x{viewport['height']}"
            raise BadReply(f"[{x:g}, {y:g}] is outside of the screen, which is {size}")
        return [x, y]


def _read(given: Any) -> Action:
    try:
        action: Action = msgspec.convert(given, Action)
        return action
    except msgspec.ValidationError as error:
        raise BadReply(str(error)) from None


def _arguments(call: dict[str, Any]) -> Any:
    try:
        return json.loads(call.get("arguments") or "{}")
    except (TypeError, ValueError, RecursionError):
        raise BadReply("its arguments are not JSON") from None


def _with(page: Page, keys: list[str] | None, do: Callable[[], object]) -> None:
    with held(page, keys):
        do()


def _scroll(page: Page, x: float, y: float, right: float, down: float) -> None:
    page.mouse.move(x, y)
    page.mouse.wheel(right, down)


def _drag(page: Page, points: list[list[float]], keys: list[str] | None) -> None:
    with held(page, keys):
        page.mouse.move(*points[0])
        page.mouse.down()
        try:
            for x, y in points[1:]:
                page.mouse.move(x, y)
        finally:
            page.mouse.up()
