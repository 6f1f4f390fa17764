"""What a type of value is: a way to read its spellings, and when two readings are the same."""

import re
import reprlib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from webassay.matching.tolerance import Tolerances

MAX_SHORT_TEXT = 64
"""Longer than any spelling of a number, an amount or a date."""
MAX_TEXT = 200_000
"""Longer than any text a task can expect; what is longer is not looked at."""

_JSON_NAMES = {
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


class NotOfType(ValueError):
    """The value is no spelling of the type; the text says why."""


def _identical(expected: Any, actual: Any, tolerances: Tolerances) -> bool:
    return bool(expected == actual)


@dataclass(frozen=True, eq=False)
class ValueType:
    name: str
    read: Callable[[Any], Any]
    """Raises NotOfType; otherwise one canonical, immutable value for all spellings."""
    same: Callable[[Any, Any, Tolerances], bool] = _identical
    """The expected reading comes first."""
    pattern_texts: Callable[[Any], Iterable[str]] | None = None
    """What of the actual value an expected `^…$` is held against; None: the type has no patterns."""
    pattern_flags: re.RegexFlag = re.IGNORECASE
    remark: Callable[[Any, Any], str] | None = None
    """What a reader of a mismatch should know about how the two were compared; may be empty."""


def wrong_type(raw: Any, kind: str) -> NotOfType:
    return NotOfType(f"{_JSON_NAMES.get(type(raw), type(raw).__name__)} is not {kind}")


def bounded_text(raw: Any, kind: str, limit: int = MAX_TEXT) -> str:
    if not isinstance(raw, str):
        raise wrong_type(raw, kind)
    if len(raw) > limit:
        raise NotOfType(f"a text of {len(raw)} characters is not {kind}")
    return raw


def short_text(raw: Any, kind: str) -> str:
    """The text of a number-like value, with full-width forms and the Unicode minus made plain, and without what cannot
    be seen."""
    text = bounded_text(raw, kind, MAX_SHORT_TEXT)
    if text.isascii():
        return text.strip()
    categories = [unicodedata.category(char) for char in text]
    if "No" in categories:  # NFKC would make 52 of 5²
        raise NotOfType(f"{text!r} is not {kind}")
    visible = "".join(char for char, category in zip(text, categories, strict=True) if category != "Cf")
    return unicodedata.normalize("NFKC", visible).replace("\N{MINUS SIGN}", "-").strip()


class _Short(reprlib.Repr):
    """`repr` whose work is bounded, also for numbers that Python refuses to write out."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 200
        self.maxlist = self.maxdict = 12

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() <= 1024 else f"<a number of {x.bit_length()} bits>"


_SHORT = _Short()


def shown(value: Any) -> str:
    text = _SHORT.repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
