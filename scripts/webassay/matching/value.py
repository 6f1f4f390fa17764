"""What a type of value is: a way to read its spellings, and when two readings are the same."""

import operator
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MAX_SHORT_TEXT = 64
"""Longer than any spelling of a number, an amount or a date."""


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


@dataclass(frozen=True)
class ValueType:
    name: str
    read: Callable[[Any], Any]
    """Raises NotOfType; otherwise one canonical value for all spellings."""
    same: Callable[[Any, Any], bool] = operator.eq
    patterns: bool = False
    """An expected `^…$` is a regular expression. An actual one never is."""


def wrong_type(raw: Any, kind: str) -> NotOfType:
    return NotOfType(f"{_JSON_NAMES.get(type(raw), type(raw).__name__)} is not {kind}")


def short_text(raw: Any, kind: str) -> str:
    """The text of a number-like value, with full-width forms and the Unicode minus made plain."""
    if not isinstance(raw, str):
        raise wrong_type(raw, kind)
    if len(raw) > MAX_SHORT_TEXT:
        raise NotOfType(f"a text of {len(raw)} characters is not {kind}")
    return unicodedata.normalize("NFKC", raw).replace("\N{MINUS SIGN}", "-").strip()
