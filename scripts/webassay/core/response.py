"""An agent's structured answer: the paper's fields and codes, with the release's spelling of them understood.

| paper | webarena-verified 1.2.3 |
|---|---|
| action | task_type, performed_operation |
| results | retrieved_data |
| SEARCH_CRITERIA_NO_MATCH, RESOURCE_NOT_FOUND | NOT_FOUND_ERROR |
| ACTION_NOT_ALLOWED, NOT_SUPPORTED_BY_PLATFORM | ACTION_NOT_ALLOWED_ERROR |
| PERMISSION_DENIED, DATA_VALIDATION, UNKNOWN | the same with _ERROR |
| results: null | retrieved_data: null, retrieved_data: [] |
| results: [2] | retrieved_data: [2], retrieved_data: 2 |

Agents written for the release send `[]` where no data are to be given, and a value or an object where a list of one is
meant. The paper's `results: []` and `results: 2` are refused, and so is a retrieve that succeeded without data, in
either spelling.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import fastjsonschema
import msgspec
from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

Action = Literal["retrieve", "mutate", "navigate"]
FailureKind = Literal["empty", "too_large", "not_json", "not_an_object", "schema"]

MAX_TEXT = 1_000_000
MAX_VALUES = 10_000
MAX_DEPTH = 32
MAX_BITS = 1024
"""A whole number beyond the range of a double is no answer to any question about a page."""

STATUSES: dict[str, frozenset[str]] = {
    code: frozenset({code})
    for code in (
        "SUCCESS",
        "ACTION_NOT_ALLOWED",
        "PERMISSION_DENIED",
        "DATA_VALIDATION",
        "SEARCH_CRITERIA_NO_MATCH",
        "RESOURCE_NOT_FOUND",
        "NOT_SUPPORTED_BY_PLATFORM",
        "UNKNOWN",
    )
} | {
    "NOT_FOUND_ERROR": frozenset({"SEARCH_CRITERIA_NO_MATCH", "RESOURCE_NOT_FOUND"}),
    "ACTION_NOT_ALLOWED_ERROR": frozenset({"ACTION_NOT_ALLOWED", "NOT_SUPPORTED_BY_PLATFORM"}),
    "PERMISSION_DENIED_ERROR": frozenset({"PERMISSION_DENIED"}),
    "DATA_VALIDATION_ERROR": frozenset({"DATA_VALIDATION"}),
    "UNKNOWN_ERROR": frozenset({"UNKNOWN"}),
}
"""Every accepted spelling, with the paper's codes that it stands for."""

SPELLINGS = {"task_type": "action", "performed_operation": "action", "retrieved_data": "results"}

RESPONSE_SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["action", "status", "results"],
    "properties": {
        "action": {"enum": ["retrieve", "mutate", "navigate"]},
        "status": {"enum": list(STATUSES)},
        "results": {"type": ["array", "null"]},
        "error_details": {"type": ["string", "null"]},
    },
    "if": {"properties": {"action": {"const": "retrieve"}, "status": {"const": "SUCCESS"}}},
    "then": {"properties": {"results": {"type": "array", "minItems": 1}}},
    "else": {"properties": {"results": {"type": "null"}}},
}
_FENCE = re.compile("`{3,}|~{3,}")
_LANGUAGE = re.compile(r"[ \t]*[\w+.#-]*\s*")
_EXPLAINING = Draft7Validator(RESPONSE_SCHEMA)
_is_valid = fastjsonschema.compile(RESPONSE_SCHEMA)
"""Says in a twentieth of the time whether, and not why not."""


class Response(msgspec.Struct, frozen=True):
    """A valid answer, in the paper's fields."""

    action: Action
    status: str
    """As it was spelled; a key of STATUSES."""
    results: list[Any] | None
    """A non-empty list exactly when a retrieve succeeded."""
    error_details: str | None = None

    def agrees_in_status(self, other: "Response") -> bool:
        """The release's codes are coarser than the paper's: one agrees with each code that it covers."""
        return bool(STATUSES[self.status] & STATUSES[other.status])


class ParseFailure(msgspec.Struct, frozen=True):
    """An answer that is no response; counted apart from wrong answers, by kind."""

    kind: FailureKind
    reason: str


class _Unreadable(Exception):
    def __init__(self, kind: FailureKind, reason: str) -> None:
        self.failure = ParseFailure(kind, reason)


def parse_response(given: Any) -> Response | ParseFailure:
    """Read JSON text, a text with one fenced JSON block, or a decoded object; the work is bounded whatever comes."""
    try:
        value = _decode(given) if isinstance(given, str) else given
        if value is None:
            raise _Unreadable("empty", "there is no answer")
        if not isinstance(value, dict):
            raise _Unreadable("not_an_object", f"the answer is a JSON {_json_type(value)}, expected an object")
        _check_bounds(value)
        return _validated(_canonical_fields(value))
    except _Unreadable as unreadable:
        return unreadable.failure


def _decode(text: str) -> Any:
    if len(text) > MAX_TEXT:
        raise _Unreadable("too_large", f"the answer has {len(text)} characters, at most {MAX_TEXT} are read")
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise _Unreadable("empty", "the answer is empty")
    try:
        document = _json_part(text)
        value = msgspec.json.decode(document.encode())
        json.loads(document, object_pairs_hook=_refuse_twice)
        return value
    except RecursionError:
        raise _Unreadable("too_large", "the answer is nested too deeply") from None
    except ValueError as error:  # malformed JSON, numbers out of range, lone surrogates
        raise _Unreadable("not_json", f"the answer is not JSON: {str(error)[:120]}") from None


def _refuse_twice(pairs: list[tuple[str, Any]]) -> None:
    """msgspec is stricter about all else, and keeps the last of two values of a key: two answers are two guesses."""
    if len(dict(pairs)) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise _Unreadable("schema", f"{twice[:120]!r} is given twice in one object")


def _json_part(text: str) -> str:
    """The fenced block of a text with prose; two blocks would be two guesses."""
    if text.startswith(("{", "[")) or not _FENCE.search(text):
        return text
    blocks = list(_json_blocks(text))
    if len(blocks) != 1:
        raise _Unreadable("not_json", f"the answer has {len(blocks)} fenced JSON blocks, expected 1")
    return blocks[0]


def _json_blocks(text: str) -> Iterator[str]:
    """Objects and arrays between fences; a fence in a text of theirs is none. The last may be left open."""
    decoder, place = json.JSONDecoder(), 0
    while opening := _FENCE.search(text, place):
        start = _LANGUAGE.match(text, opening.end()).end()  # type: ignore[union-attr]  # matches the empty text too
        end = start
        if text.startswith(("{", "["), start):
            _, end = decoder.raw_decode(text, start)
            yield text[start:end]
        closing = text.find(opening[0][:3], end)
        if end > start and text[end : closing if closing >= 0 else None].strip():
            raise _Unreadable("not_json", "the answer's fenced JSON block goes on after its end")
        if closing < 0:
            return
        place = _FENCE.match(text, closing).end()  # type: ignore[union-attr]


def _check_bounds(value: Any) -> None:
    """Refuse what Python can hold and JSON cannot, and what is too large to be an answer."""
    pending, values, characters = [(value, 1)], 0, 0
    while pending:
        item, depth = pending.pop()
        values += 1 + (len(item) if isinstance(item, dict | list) else 0)
        characters += len(item) if isinstance(item, str) else 0
        if values > 2 * MAX_VALUES or depth > MAX_DEPTH or characters > MAX_TEXT:
            raise _Unreadable("too_large", "the answer is too large or nested too deeply")
        if isinstance(item, dict):
            if not all(isinstance(key, str) for key in item):
                raise _Unreadable("not_json", "the answer has a key that is not a text")
            pending += [(part, depth + 1) for pair in item.items() for part in pair]
        elif isinstance(item, list):
            pending += [(part, depth + 1) for part in item]
        else:
            _check_scalar(item)


def _check_scalar(item: Any) -> None:
    if isinstance(item, str):
        try:
            item.encode()
        except UnicodeEncodeError:
            raise _Unreadable("not_json", "the answer holds half of a surrogate pair") from None
    elif isinstance(item, bool) or item is None:
        return
    elif not isinstance(item, int | float):
        raise _Unreadable("not_json", f"the answer holds a {type(item).__name__}, which JSON has not")
    elif not math.isfinite(item) if isinstance(item, float) else item.bit_length() > MAX_BITS:
        raise _Unreadable("not_json", "the answer holds a number out of range")


def _canonical_fields(given: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in given.items():
        field = SPELLINGS.get(name, name)
        if field in fields:
            raise _Unreadable("schema", f"{field} is given twice, under two names")
        fields[field] = _as_list(value) if name == "retrieved_data" else value
    fields.setdefault("results", None)
    for field, spelling in (("action", str.lower), ("status", str.upper)):  # the release writes RETRIEVE
        word = fields.get(field)
        if isinstance(word, str) and (word := word.strip()).isascii():  # the upper case of ſ is S
            fields[field] = spelling(word)
    return fields


def _as_list(data: Any) -> list[Any] | None:
    """As the release takes it."""
    if data is None or data == []:
        return None
    return data if isinstance(data, list) else [data]


def _validated(fields: dict[str, Any]) -> Response:
    try:
        _is_valid(fields)
        return Response(fields["action"], fields["status"], fields["results"], fields.get("error_details"))
    except fastjsonschema.JsonSchemaValueException:
        raise _Unreadable("schema", _why_invalid(fields)) from None


def _why_invalid(fields: dict[str, Any]) -> str:
    error = best_match(_EXPLAINING.iter_errors(fields))
    where = ".".join(str(part) for part in error.absolute_path) or "response"
    if where == "results":
        return "results must be a non-empty array when a retrieve succeeds, and null otherwise"
    return f"{where}: {error.message[:200]}"


def _json_type(value: Any) -> str:
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array"}
    return names.get(type(value), type(value).__name__)
