"""What each action does in the browser."""

from webassay.systems.acting import Acting, BadReply
from webassay.systems.text_agent.page import Element, View
from webassay.systems.text_agent.replies import (
    Action,
    Click,
    Fill,
    GoBack,
    Goto,
    Press,
    Scroll,
    SelectOption,
    Wait,
)

SCROLL_SHARE = 0.8
"""Of the window's height."""


def carry_out(action: Action, view: View, acting: Acting) -> str:
    """What went wrong, in a line; empty when it was done."""
    page, thought = acting.session.page, action.thought
    match action:
        case Click(element=reference):
            element = _element(view, reference)
            return acting.do("left_click", _about(element), thought, page.locator(element.path).click)
        case Fill(element=reference, text=text, enter=enter):
            element = _element(view, reference)
            arguments = _about(element) | {"text": text, "press_enter": enter}
            return acting.do("type", arguments, thought, lambda: _fill(acting, element, text, enter))
        case SelectOption(element=reference, option=option):
            element = _element(view, reference)
            target = page.locator(element.path)
            return acting.do(
                "select", _about(element) | {"value": option}, thought, lambda: target.select_option(label=option)
            )
        case Press(key=key):
            return acting.do("key", {"keys": [key]}, thought, lambda: page.keyboard.press(key))
        case Scroll(direction=direction):
            pixels = round(acting.session.settings["viewport"]["height"] * SCROLL_SHARE)
            pixels = pixels if direction == "up" else -pixels
            return acting.do("scroll", {"pixels": pixels}, thought, lambda: page.mouse.wheel(0, -pixels))
        case Goto(url=url):
            return acting.visit(url, thought)
        case GoBack():
            return acting.do("history_back", {}, thought, lambda: page.go_back(wait_until="load"))
        case Wait(seconds=seconds):
            return acting.do("wait", {"time": seconds}, thought, lambda: page.wait_for_timeout(seconds * 1000))
    raise BadReply("the task is over after an answer")


def _fill(acting: Acting, element: Element, text: str, enter: bool) -> None:
    target = acting.session.page.locator(element.path)
    target.fill(text)
    if enter:
        target.press("Enter")


def _element(view: View, reference: int | str) -> Element:
    found = view.find(reference)
    if found is None:
        raise BadReply(f"there is no element {str(reference)[:80]!r} on this page; use a number in brackets")
    return found


def _about(element: Element) -> dict[str, str]:
    return {"selector": element.path, "element": f'{element.role} "{element.name}"'}
