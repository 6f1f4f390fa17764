"""Keys by the names that models have for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

KEYS = {
    "ctrl": "Control",
    "control": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "meta": "Meta",
    "win": "Meta",
    "super": "Meta",
    "alt": "Alt",
    "option": "Alt",
    "shift": "Shift",
    "enter": "Enter",
    "return": "Enter",
    "esc": "Escape",
    "escape": "Escape",
    "tab": "Tab",
    "space": " ",
    "backspace": "Backspace",
    "delete": "Delete",
    "del": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "PageUp",
    "page_up": "PageUp",
    "pagedown": "PageDown",
    "page_down": "PageDown",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "arrowup": "ArrowUp",
    "arrowdown": "ArrowDown",
    "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight",
}
"""As models call them, in lower case."""


def _named(key: str, alone: bool) -> Any:
    """Together with others a letter is its key: CTRL and A mean no capital."""
    return KEYS.get(key.lower(), key if alone or len(key) > 1 else key.lower())


def press(page: Page, keys: list[str]) -> None:
    """Down in their order, and up in the reverse."""
    with held(page, keys):
        pass


@contextmanager
def held(page: Page, keys: list[str] | None) -> Iterator[None]:
    """Let go of again, whatever happens in between."""
    down = []
    try:
        for key in (_named(key, len(keys or ()) == 1) for key in keys or ()):
            page.keyboard.down(key)
            down.append(key)
        yield
    finally:
        for key in reversed(down):
            page.keyboard.up(key)
