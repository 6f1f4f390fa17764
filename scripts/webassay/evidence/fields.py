"""A field of a body: by its name, by JSONPath (`$.issue.title`), or by a pattern of names (`$.^file_(path|name)$`)."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from webassay.errors import JudgeError


def is_path(key: str) -> bool:
    """JSONPath or a pattern of names; any other key is the name of a field."""
    return key.startswith("$") or name_pattern(key) is not None


def name_pattern(key: str) -> str | None:
    """The pattern of names that a key holds, with `$.` before it or without."""
    bare = key.removeprefix("$.")
    return bare if len(bare) > 1 and bare.startswith("^") and bare.endswith("$") else None


def by_path(document: Any, path: str) -> list[Any]:
    """All that a JSONPath finds; if nothing, all that it finds once JSON inside strings is unfolded."""
    expression = parsed_path(path)
    found = [match.value for match in expression.find(document)]
    return found or [match.value for match in expression.find(unfolded(document))]


def by_pattern(fields: Any, pattern: str) -> list[Any]:
    """The values of all fields whose names begin as the pattern says; what is not an object has no fields."""
    if not isinstance(fields, Mapping):
        return []
    return [value for name, value in fields.items() if re.match(pattern, name)]


def unfolded(document: Any) -> Any:
    """The document with the JSON that stands in strings of its objects parsed, once."""
    if isinstance(document, dict):
        return {name: _parsed_string(one) if isinstance(one, str) else unfolded(one) for name, one in document.items()}
    return [unfolded(one) for one in document] if isinstance(document, list) else document


def _parsed_string(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


@lru_cache(maxsize=512)
def parsed_path(path: str) -> Any:
    """The expression of jsonpath-ng; what is none is a fault of the task."""
    from jsonpath_ng.exceptions import JSONPathError  # builds a grammar: only for those who need it
    from jsonpath_ng.ext.parser import parse

    try:
        return parse(path)
    except JSONPathError as error:
        raise JudgeError(f"{path!r} is no JSONPath: {error}") from None
