"""A value as the release compares it: its type and one reading for each alternative, on either side."""

import base64
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from webassay.judges.release import places, quantities
from webassay.judges.release.markdown import read_markdown
from webassay.judges.release.patterns import found, is_pattern
from webassay.judges.release.text import Derender, fold
from webassay.judges.release.urls import UrlRules, read_url, same_base, same_query

PUNCTUATION = "'\"`.,;:!?"
EMPTY_WORDS = {"n/a", "na", "nan", "null", "none"}
TRUE_WORDS = {"true", "yes", "y", "1", "t", "on"}
FALSE_WORDS = {"false", "no", "n", "0", "f", "off"}
_SPACES, _SLASH = re.compile(r"\s+"), re.compile(r"\s*/\s*")

Readings = Sequence[Any]


def _stripped(text: str, _: Derender | None) -> str:
    return text.strip()


def _overlap(expected: Readings, actual: Readings) -> bool:
    return not set(expected).isdisjoint(actual)


@dataclass(frozen=True, eq=False)
class Kind:
    name: str
    read: Callable[[Any], Any]
    """Raises whatever it likes for what is not of its kind."""
    same: Callable[[Readings, Readings], bool] = _overlap
    fold: Callable[[str, Derender | None], str] = fold


@dataclass(frozen=True, eq=False)
class Value:
    kind: Kind
    alternatives: tuple[Any, ...]
    rules: UrlRules | None = None
    """Of a URL: how it was read, since patterns are rendered only when they are compared."""

    @property
    def first(self) -> Any:
        return self.alternatives[0]

    def __str__(self) -> str:
        return str(self.first)


def read_value(kind: Kind, raw: Any, derender: Derender | None = None, rules: UrlRules | None = None) -> Value:
    """A list of two or more is a list of alternatives, whoever gave it; a shorter one is an error."""

    def read(one: Any) -> Any:
        one = kind.fold(one, derender) if isinstance(one, str) else one
        return read_url(one, rules or UrlRules()) if kind is URL else kind.read(one)

    if kind is COORDINATES and places.is_pair(raw):
        try:
            return Value(kind, (read(raw),))
        except Exception:  # then it is two alternatives
            return Value(kind, tuple(map(read, raw)))
    if not isinstance(raw, list | tuple):
        return Value(kind, (read(raw),), rules)
    if len(raw) < 2:
        raise ValueError(f"a list of {len(raw)} where a value or alternatives are expected: {raw!r}")
    return Value(kind, tuple(map(read, raw)), rules)


def equal(expected: Any, actual: Any) -> bool:
    """Of two values, by their type; a value that could not be read is equal to a string or URL of the same text."""
    if isinstance(expected, Value) and isinstance(actual, Value):
        return expected.kind is actual.kind and _same(expected, actual)
    for value, raw in ((expected, actual), (actual, expected)):
        if isinstance(value, Value):
            return isinstance(raw, str) and _is_text(value, raw)
    return bool(expected == actual)


def _same(expected: Value, actual: Value) -> bool:
    return (
        _same_url(expected, actual)
        if expected.kind is URL
        else expected.kind.same(expected.alternatives, actual.alternatives)
    )


def _is_text(value: Value, raw: str) -> bool:
    if value.kind is STRING:
        return _same(value, read_value(STRING, raw))
    return value.kind is URL and any(str(url) == raw for url in value.alternatives)


def _same_url(expected: Value, actual: Value) -> bool:
    render = (expected.rules or UrlRules()).render
    return any(
        same_base(one, other, render) and same_query(one, other, equal)
        for one in expected.alternatives
        for other in actual.alternatives
    )


def _read_string(value: Any) -> str:
    if not value:
        return ""
    return value.strip() if is_pattern(value) else str(value).lower().strip()


def _same_string(expected: Readings, actual: Readings) -> bool:
    """A pattern on either side, else the same text, if need be without the punctuation around it."""
    if _pattern_fits(expected, actual, re.IGNORECASE) or _overlap(expected, actual):
        return True
    return _overlap([one.strip(PUNCTUATION) for one in expected], [one.strip(PUNCTUATION) for one in actual])


def _pattern_fits(expected: Readings, actual: Readings, flags: re.RegexFlag) -> bool:
    """The agent's own text may be the pattern."""
    of_task = (_fits(pattern, actual, flags, of_task=True) for pattern in expected)
    return any(of_task) or any(_fits(pattern, expected, flags, of_task=False) for pattern in actual)


def _fits(pattern: str, texts: Readings, flags: re.RegexFlag, *, of_task: bool) -> bool:
    if not is_pattern(pattern):
        return False
    try:
        return any(found("fullmatch", pattern, text, flags, of_task=of_task) for text in texts)
    except re.error:
        return False


def _read_boolean(value: Any) -> bool:
    if isinstance(value, int | float):
        return bool(value)
    if isinstance(value, str) and value.strip() in TRUE_WORDS | FALSE_WORDS:
        return value.strip() in TRUE_WORDS
    raise ValueError("no boolean")


def _fold_empty(text: str, _: Derender | None) -> str:
    return _SLASH.sub("/", _SPACES.sub(" ", text.strip().lower()))


def _read_empty(value: Any) -> None:
    if isinstance(value, int | float) or (value and not (isinstance(value, str) and value in EMPTY_WORDS)):
        raise ValueError("not empty")


def _read_json(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("no JSON text")
    return json.dumps(json.loads(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _read_base64(value: Any) -> str:
    """The text that is encoded; a pattern is for that text, and stays."""
    if not isinstance(value, str) or not value:
        raise ValueError("no base64")
    if is_pattern(value):
        return value
    decoded = base64.b64decode(value, validate=True).decode()
    return decoded.replace("\r\n", "\n").replace("\r", "\n").strip()


def _same_base64(expected: Readings, actual: Readings) -> bool:
    return _pattern_fits(expected, actual, re.DOTALL) or _overlap(expected, actual)


def _read_string_list(value: Any) -> tuple[str, ...]:
    """By commas, in any order."""
    items = [item.strip() for item in str(value or "").split(",")]
    if not any(items):
        raise ValueError("an empty list")
    return tuple(sorted(filter(None, items)))


def _fold_duration(text: str, derender: Derender | None) -> str:
    return quantities.clock_hours(fold(text, derender))


STRING = Kind("string", _read_string, _same_string)
URL = Kind("url", lambda value: read_url(value, UrlRules()), fold=_stripped)
NUMBER = Kind("number", quantities.read_number)
COORDINATES = Kind("coordinates", places.read_point, places.same_point)

KINDS = {
    "string": STRING,
    "url": URL,
    "number": NUMBER,
    "integer": NUMBER,
    "currency": Kind("currency", quantities.read_money, quantities.same_money),
    "date": Kind("date", quantities.read_date),
    "month": Kind("month", quantities.read_month),
    "duration": Kind("duration", quantities.read_duration, quantities.same_duration, _fold_duration),
    "distance": Kind("distance", quantities.read_distance, quantities.same_distance),
    "coordinates": COORDINATES,
    "location-name": Kind("location-name", places.read_place, places.same_place),
    "full_address": Kind("full_address", places.read_address, places.same_address),
    "boolean": Kind("boolean", _read_boolean),
    "null": Kind("null", _read_empty, fold=_fold_empty),
    "json": Kind("json", _read_json),
    "markdown": Kind("markdown", read_markdown, fold=_stripped),
    "base64": Kind("base64", _read_base64, _same_base64, _stripped),
    "string_list": Kind("string_list", _read_string_list),
}
"""What a schema's `format`, or else its `type`, may be called."""
