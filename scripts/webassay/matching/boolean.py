"""Truth values: JSON's own, or the words for them; 1 and 0 are numbers."""

from typing import Any

from webassay.matching.value import NotOfType, ValueType, short_text

_WORDS = {"true": True, "yes": True, "false": False, "no": False}


def read_boolean(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    text = short_text(raw, "a truth value")
    try:
        return _WORDS[text.casefold()]
    except KeyError:
        raise NotOfType(f"{text!r} is not a truth value") from None


BOOLEAN = ValueType("boolean", read_boolean)
