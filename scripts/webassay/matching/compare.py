"""An expected value against an actual one, under the type that the task's schema declares.

The two sides are not alike. The expected side is the task's: it may hold alternatives (a list where the schema has
one value) and patterns (`^…$`), and what is wrong with it is a JudgeError, from `check_expectation`. The actual side
is the agent's: it is one value, compared literally, and what is wrong with it is a mismatch.

Objects have the expected keys, spelled as expected, and no others. A list or an object that is given as a text is a
text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from webassay.errors import JudgeError
from webassay.matching.pairing import unpaired
from webassay.matching.pattern import check_pattern, is_pattern, match_pattern
from webassay.matching.string import STRING
from webassay.matching.tolerance import Tolerances
from webassay.matching.types import TYPES
from webassay.matching.value import NotOfType, ValueType, shown

Schema = dict[str, Any]

MAX_NORMALIZED = 200
"""Values; the longest expected answer of WebArena Verified has 24."""
_DEFAULT = Tolerances()
_UNDECLARED: Schema = {"type": STRING.name}
"""What JSON Schema allows under a key that `properties` do not name is a text here, as in tasks 34 and 35."""
_ADDRESS_TITLES = ("full_address", "address")
_CACHED_TEXT = 256


class Comparison(msgspec.Struct, frozen=True):
    equal: bool
    reason: str = ""
    """Why not, from the first difference."""


EQUAL = Comparison(True)


def compare(
    schema: Schema, expected: Any, actual: Any, *, ordered: bool = False, tolerances: Tolerances = _DEFAULT
) -> Comparison:
    """Equal, or why not; arrays are compared as multisets unless `ordered`. See to it first that the task's side is
    sound, with `check_expectation`: what is wrong with it must not depend on the answer."""
    if expected is None:
        return EQUAL if actual is None else Comparison(False, f"{shown(actual)} given, expected null")
    shape = _shape(schema)
    if shape == "array":
        return _compare_arrays(schema, expected, actual, ordered, tolerances)
    if isinstance(expected, list):
        return _compare_alternatives(schema, expected, actual, ordered, tolerances)
    if shape == "object":
        return _compare_objects(schema, expected, actual, ordered, tolerances)
    return _compare_scalars(value_type(schema), expected, actual, tolerances)


def check_expectation(schema: Any, expected: Any) -> None:
    """Refuse, whatever the answer will be, an unknown type and an expected value that its own type cannot read."""
    if not isinstance(schema, dict):
        raise JudgeError(f"results_schema: {shown(schema)} is not a schema")
    shape = _shape(schema)
    if shape == "array":
        _require(expected is None or isinstance(expected, list), expected, "an array")
        for item in expected or [None]:
            check_expectation(schema.get("items"), item)
    elif isinstance(expected, list):
        _require(len(expected) > 0, expected, "one of several alternatives")
        for one in expected:
            check_expectation(schema, one)
    elif shape == "object":
        _check_object(_properties(schema), {} if expected is None else expected)
    else:
        _check_scalar(value_type(schema), expected)


def value_type(schema: Schema) -> ValueType:
    """The format decides where there is one: webarena-verified writes money as number with format currency."""
    name = schema.get("format", schema.get("type"))
    if name == "object":
        name = schema.get("title")
    if isinstance(name, str) and name in TYPES:
        return TYPES[name]
    raise JudgeError(f"results_schema: type {name!r} is not known; known are array, object, {', '.join(TYPES)}")


def normalized(schema: Schema, actual: Any) -> Any:
    """The actual value as it is compared; what cannot be read under its type, and what comes after MAX_NORMALIZED
    others, stays as it was given."""
    return _normalized(schema, actual, iter(range(MAX_NORMALIZED)))


def _normalized(schema: Schema, actual: Any, left: Iterator[int]) -> Any:
    shape = _shape(schema)
    if shape == "array" and isinstance(actual, list):
        return [_normalized(schema["items"], item, left) for item in actual]
    if shape == "object" and isinstance(actual, dict):
        known = _properties(schema)
        return {key: _normalized(known[key], value, left) if key in known else value for key, value in actual.items()}
    if shape is not None or next(left, None) is None:
        return actual
    try:
        return _read(value_type(schema), actual)
    except NotOfType:
        return actual


def _shape(schema: Schema) -> str | None:
    """`array` or `object`; None for a value, which an object with the title of an address is too."""
    kind = schema.get("type")
    if "format" in schema or kind not in ("array", "object"):
        return None
    return None if kind == "object" and schema.get("title") in _ADDRESS_TITLES else str(kind)


def _properties(schema: Schema) -> dict[str, Schema]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        raise JudgeError("results_schema: an object needs properties")
    return properties


def _require(holds: bool, expected: Any, what: str) -> None:
    if not holds:
        raise JudgeError(f"expected value {shown(expected)}: its schema asks for {what}")


def _check_object(properties: dict[str, Schema], expected: Any) -> None:
    _require(isinstance(expected, dict), expected, f"an object with {sorted(properties)}")
    for key in {**properties, **expected}:
        _require(key in properties or isinstance(expected[key], str), expected, f"keys of {sorted(properties)}")
        check_expectation(properties.get(key, _UNDECLARED), expected.get(key))


def _check_scalar(kind: ValueType, expected: Any) -> None:
    try:
        if kind.pattern_texts and is_pattern(expected):
            check_pattern(expected)
        elif expected is not None:
            kind.read(expected)
    except (NotOfType, re.error) as problem:
        raise JudgeError(f"expected value {shown(expected)} under type {kind.name}: {problem}") from None


def _compare_arrays(schema: Schema, expected: Any, actual: Any, ordered: bool, tolerances: Tolerances) -> Comparison:
    if not isinstance(actual, list):
        return Comparison(False, f"{shown(actual)} is not an array")
    if len(actual) != len(expected):
        return Comparison(False, f"{len(actual)} items given, expected {len(expected)}")

    def fit(want: Any, have: Any) -> Comparison:
        return compare(schema["items"], want, have, ordered=ordered, tolerances=tolerances)

    pairs = (fit(want, have) for want, have in zip(expected, actual, strict=True))
    difference = next((pair for pair in pairs if not pair.equal), None)
    if difference is None or ordered or len(expected) == 1:
        return difference or EQUAL
    missing = [expected[row] for row in unpaired([[fit(want, have).equal for have in actual] for want in expected])]
    return Comparison(False, f"no item given for expected {shown(missing)}") if missing else EQUAL


def _compare_alternatives(
    schema: Schema, expected: list[Any], actual: Any, ordered: bool, tolerances: Tolerances
) -> Comparison:
    tried = [compare(schema, one, actual, ordered=ordered, tolerances=tolerances) for one in expected]
    return next((one for one in tried if one.equal), tried[0])


def _compare_objects(schema: Schema, expected: Any, actual: Any, ordered: bool, tolerances: Tolerances) -> Comparison:
    if not isinstance(actual, dict):
        return Comparison(False, f"{shown(actual)} is not an object")
    if actual.keys() != expected.keys():
        return Comparison(False, f"keys {shown([*actual])} given, expected {sorted(expected)}")
    properties = _properties(schema)
    for key, want in expected.items():
        part = properties.get(key, _UNDECLARED)
        found = compare(part, want, actual[key], ordered=ordered, tolerances=tolerances)
        if not found.equal:
            return Comparison(False, f"{key}: {found.reason}")
    return EQUAL


def _compare_scalars(kind: ValueType, expected: Any, actual: Any, tolerances: Tolerances) -> Comparison:
    try:
        if kind.pattern_texts and is_pattern(expected):
            equal, remark = any(_matches(kind, expected, text) for text in kind.pattern_texts(actual)), ""
        else:
            want = _read(kind, expected)
            have = _read(kind, actual)
            equal, remark = kind.same(want, have, tolerances), kind.remark(want, have) if kind.remark else ""
    except NotOfType as problem:
        return Comparison(False, str(problem))
    if equal:
        return EQUAL
    wrong = f"{shown(actual)} given, expected {shown(expected)}"
    return Comparison(False, f"{wrong} ({remark})" if remark else wrong)


def _matches(kind: ValueType, pattern: str, text: str) -> bool:
    return match_pattern(pattern, text, kind.pattern_flags)


def _read(kind: ValueType, raw: Any) -> Any:
    """Short texts from memory: the expected ones come again for every run, and the actual ones for every pairing."""
    return _read_text(kind, raw) if type(raw) is str and len(raw) <= _CACHED_TEXT else kind.read(raw)


@lru_cache(maxsize=4096)
def _read_text(kind: ValueType, raw: str) -> Any:
    return kind.read(raw)
