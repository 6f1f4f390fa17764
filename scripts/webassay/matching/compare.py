"""An expected value against an actual one, under the type that the task's schema declares.

The two sides are not alike. The expected side is the task's: it may hold alternatives (a list where the schema has
one value) and patterns (`^…$`), and what is wrong with it is a JudgeError, from `check_expectation`. The actual side
is the agent's: it is one value, compared literally, and what is wrong with it is a mismatch.
"""

import re
from typing import Any

import msgspec

from webassay.errors import JudgeError
from webassay.matching.boolean import BOOLEAN
from webassay.matching.currency import CURRENCY
from webassay.matching.date import DATE
from webassay.matching.month import MONTH
from webassay.matching.null import NULL
from webassay.matching.number import INTEGER, NUMBER
from webassay.matching.pairing import unpaired
from webassay.matching.string import STRING
from webassay.matching.url import URL
from webassay.matching.value import NotOfType, ValueType

TYPES = {kind.name: kind for kind in (STRING, NUMBER, INTEGER, BOOLEAN, NULL, CURRENCY, DATE, MONTH, URL)}
MAX_PATTERN_TEXT = 2_000
"""Longer texts match no pattern: even a careless expression of a task must end."""

Schema = dict[str, Any]


class Comparison(msgspec.Struct, frozen=True):
    equal: bool
    reason: str = ""
    """Why not, from the first difference."""


EQUAL = Comparison(True)


def compare(schema: Schema, expected: Any, actual: Any, *, ordered: bool = False) -> Comparison:
    """Equal, or why not; arrays are compared as multisets unless `ordered`. See to it first that the task's side is
    sound, with `check_expectation`: what is wrong with it must not depend on the answer."""
    if expected is None:
        return EQUAL if actual is None else Comparison(False, f"{_shown(actual)} given, expected null")
    if _type(schema) == "array":
        return _compare_arrays(schema, expected, actual, ordered)
    if isinstance(expected, list):
        return _compare_alternatives(schema, expected, actual, ordered)
    if _type(schema) == "object":
        return _compare_objects(schema, expected, actual, ordered)
    return _compare_scalars(value_type(schema), expected, actual)


def check_expectation(schema: Any, expected: Any) -> None:
    """Refuse, whatever the answer will be, an unknown type and an expected value that its own type cannot read."""
    if not isinstance(schema, dict):
        raise JudgeError(f"results_schema: {_shown(schema)} is not a schema")
    if _type(schema) == "array":
        _require(expected is None or isinstance(expected, list), expected, "an array")
        for item in expected or [None]:
            check_expectation(schema.get("items"), item)
    elif isinstance(expected, list):
        _require(len(expected) > 0, expected, "one of several alternatives")
        for one in expected:
            check_expectation(schema, one)
    elif _type(schema) == "object":
        properties, known = _properties(schema), expected or {}
        _require(isinstance(known, dict) and known.keys() <= properties.keys(), known, f"keys of {sorted(properties)}")
        for key, part in properties.items():
            check_expectation(part, known.get(key))
    else:
        _check_scalar(value_type(schema), expected)


def value_type(schema: Schema) -> ValueType:
    """The format decides where there is one: webarena-verified writes money as number with format currency."""
    name = schema.get("format", schema.get("type"))
    if isinstance(name, str) and name in TYPES:
        return TYPES[name]
    raise JudgeError(f"results_schema: type {name!r} is not known; known are array, object, {', '.join(TYPES)}")


def normalized(schema: Schema, actual: Any) -> Any:
    """The actual value as it is compared; what cannot be read under its type stays as it was given."""
    if _type(schema) == "array" and isinstance(actual, list):
        return [normalized(schema["items"], item) for item in actual]
    if _type(schema) == "object" and isinstance(actual, dict):
        known = _properties(schema)
        return {key: normalized(known[key], value) if key in known else value for key, value in actual.items()}
    if _type(schema) in ("array", "object"):
        return actual
    try:
        return value_type(schema).read(actual)
    except NotOfType:
        return actual


def _type(schema: Schema) -> Any:
    return None if "format" in schema else schema.get("type")


def _properties(schema: Schema) -> dict[str, Schema]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        raise JudgeError("results_schema: an object needs properties")
    return properties


def _require(holds: bool, expected: Any, what: str) -> None:
    if not holds:
        raise JudgeError(f"expected value {_shown(expected)}: its schema asks for {what}")


def _check_scalar(kind: ValueType, expected: Any) -> None:
    try:
        if kind.patterns and is_pattern(expected):
            re.compile(expected)
        elif expected is not None:
            kind.read(expected)
    except (NotOfType, re.error) as problem:
        raise JudgeError(f"expected value {_shown(expected)} under type {kind.name}: {problem}") from None


def _compare_arrays(schema: Schema, expected: Any, actual: Any, ordered: bool) -> Comparison:
    if not isinstance(actual, list):
        return Comparison(False, f"{_shown(actual)} is not an array")
    if len(actual) != len(expected):
        return Comparison(False, f"{len(actual)} items given, expected {len(expected)}")
    items = schema["items"]
    if ordered or len(expected) == 1:
        pairs = (compare(items, want, have, ordered=ordered) for want, have in zip(expected, actual, strict=True))
        return next((pair for pair in pairs if not pair.equal), EQUAL)
    fits = [[compare(items, want, have, ordered=ordered).equal for have in actual] for want in expected]
    missing = [expected[row] for row in unpaired(fits)]
    return Comparison(False, f"no item given for expected {_shown(missing)}") if missing else EQUAL


def _compare_alternatives(schema: Schema, expected: list[Any], actual: Any, ordered: bool) -> Comparison:
    tried = [compare(schema, one, actual, ordered=ordered) for one in expected]
    return next((one for one in tried if one.equal), tried[0])


def _compare_objects(schema: Schema, expected: Any, actual: Any, ordered: bool) -> Comparison:
    if not isinstance(actual, dict):
        return Comparison(False, f"{_shown(actual)} is not an object")
    if actual.keys() != expected.keys():
        return Comparison(False, f"keys {_shown(sorted(actual))} given, expected {sorted(expected)}")
    properties = _properties(schema)
    parts = ((key, compare(properties[key], expected[key], actual[key], ordered=ordered)) for key in expected)
    return next((Comparison(False, f"{key}: {part.reason}") for key, part in parts if not part.equal), EQUAL)


def _compare_scalars(kind: ValueType, expected: Any, actual: Any) -> Comparison:
    wrong = Comparison(False, f"{_shown(actual)} given, expected {_shown(expected)}")
    if kind.patterns and is_pattern(expected):
        return EQUAL if isinstance(actual, str) and matches_pattern(expected, actual) else wrong
    want = kind.read(expected)
    try:
        return EQUAL if kind.same(want, kind.read(actual)) else wrong
    except NotOfType as problem:
        return Comparison(False, str(problem))


def is_pattern(expected: Any) -> bool:
    return isinstance(expected, str) and len(expected) > 1 and expected.startswith("^") and expected.endswith("$")


def matches_pattern(pattern: str, text: str, flags: re.RegexFlag = re.IGNORECASE) -> bool:
    """The whole text must match."""
    return len(text) <= MAX_PATTERN_TEXT and re.fullmatch(pattern, text.strip(), flags) is not None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
