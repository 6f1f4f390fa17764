"""Nothing, which only null spells: not an empty text, and not the words for it."""

from typing import Any

from webassay.matching.value import ValueType, wrong_type


def read_null(raw: Any) -> None:
    if raw is not None:
        raise wrong_type(raw, "null")


NULL = ValueType("null", read_null)
