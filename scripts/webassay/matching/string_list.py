"""Several texts in one, between commas; their order is free, and each counts as often as it stands there."""

from typing import Any

from webassay.matching.string import read_string
from webassay.matching.value import NotOfType, ValueType, bounded_text


def read_string_list(raw: Any) -> tuple[str, ...]:
    items = [read_string(item) for item in bounded_text(raw, "a list of texts").split(",")]
    found = tuple(sorted(item for item in items if item))
    if not found:
        raise NotOfType("the list is empty")
    return found


STRING_LIST = ValueType("string_list", read_string_list)
