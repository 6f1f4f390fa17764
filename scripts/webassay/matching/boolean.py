"""Truth values: JSON's own, or the words for them, also as a sentence (`Yes.`); 1 and 0 are numbers."""

from typing import Any

from webassay.matching.value import NotOfType, ValueType, short_text

_WORDS = {"true": True, "yes": True, "false": False, "no": False}


def read_boolean(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    text = short_text(raw, "a truth value")
    word = text[:-1] if text.endswith((".", "!")) else text
    try:
        return _WORDS[word.casefold()]
    except KeyError:
        raise NotOfType(f"{text!r} is not a truth value") from None


BOOLEAN = ValueType("boolean", read_boolean)
