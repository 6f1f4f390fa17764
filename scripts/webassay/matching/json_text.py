"""JSON documents: key order and spacing are free, types and spelling are not."""

import json
from typing import Any, NoReturn

from webassay.matching.number import exact
from webassay.matching.value import NotOfType, ValueType, bounded_text, wrong_type

MAX_DEPTH = 64
MAX_VALUES = 100_000


def read_json(raw: Any) -> Any:
    """A text is a document; anything else is what a document holds. A key that stands twice would be two answers."""
    value = _decoded(bounded_text(raw, "JSON")) if isinstance(raw, str) else raw
    return _frozen(value, MAX_DEPTH, [MAX_VALUES])


def _decoded(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_not_json)
    except RecursionError:
        raise NotOfType("the text is nested too deeply") from None
    except NotOfType:
        raise
    except ValueError:
        raise NotOfType(f"{text[:100]!r} is not JSON") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotOfType("a key stands twice in one object")
    return found


def _not_json(name: str) -> NoReturn:
    raise NotOfType(f"{name} is not JSON")


def _frozen(value: Any, depth: int, left: list[int]) -> Any:
    """Nested tuples that begin with the type, so that true is not 1 and an empty object is not an empty array."""
    left[0] -= 1
    if depth == 0 or left[0] < 0:
        raise NotOfType("the document is too large or nested too deeply")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise NotOfType("a key is not a text")
        return ("object", *((key, _frozen(value[key], depth - 1, left)) for key in sorted(value)))
    if isinstance(value, list):
        return ("array", *(_frozen(item, depth - 1, left) for item in value))
    if value is None or isinstance(value, bool | str):
        return (type(value).__name__, value)
    if isinstance(value, int | float):
        return ("number", exact(value))
    raise wrong_type(value, "JSON")


JSON = ValueType("json", read_json)
