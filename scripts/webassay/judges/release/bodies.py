"""Bodies as the release decodes them: an object or nothing, one value for each field."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from webassay.evidence.body import FORM, JSON, MULTIPART, form_fields
from webassay.evidence.fields import by_pattern, is_path, name_pattern
from webassay.judges.release.paths import by_path

MAX_DEPTH = 254
_BOUNDARY = re.compile(r"boundary=([^;\s]+)")
_NAME = re.compile(r'name="([^"]+)"')


def read_body(content: Any) -> dict[str, Any] | None:
    """From a HAR's `postData` or `content`; the type need only stand somewhere in `mimeType`."""
    mime_type, text = content.get("mimeType", ""), content.get("text", "")
    if not text:
        return None
    if FORM in mime_type:
        return {name: values[0] for name, values in form_fields(text).items()}
    if JSON in mime_type and isinstance(document := _document(text), dict):
        return document
    if MULTIPART in mime_type and (boundary := _BOUNDARY.search(mime_type)):
        return _multipart(text, boundary.group(1))
    return None


def settled(value: Any, depth: int = 0) -> Any:
    """As the release hands it on: numbers that JSON has no word for are null, and nesting has an end."""
    if isinstance(value, dict | list | tuple) and depth > MAX_DEPTH:
        raise ValueError(f"a body nested in more than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        "".join(value).encode()  # raises for lone surrogates
        return {name: settled(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [settled(one, depth + 1) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def pick(fields: dict[str, Any], key: str) -> Any:
    """What a key of the expected fields finds: a tuple for several, and for any filter, whatever it finds."""
    if not is_path(key):
        return fields.get(key)
    pattern = name_pattern(key)
    found: Sequence[Any] = by_path(fields, key) if pattern is None else by_pattern(fields, pattern)
    if not found:
        return None
    return found[0] if len(found) == 1 and (pattern is not None or "?(" not in key) else tuple(found)


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _multipart(text: str, boundary: str) -> dict[str, str]:
    """Of several values the last; spaces and line breaks around a part are lost."""
    fields = {}
    for part in map(str.strip, text.split(f"--{boundary}")):
        gap = "\r\n\r\n" if "\r\n\r\n" in part else "\n\n"
        head, found, body = part.partition(gap)
        lines = (line for line in head.split("\r\n") if line.lower().startswith("content-disposition:"))
        name = _NAME.search(next(lines, "")) if found else None
        if name:
            fields[name.group(1)] = body.rstrip("\r\n")
    return fields
