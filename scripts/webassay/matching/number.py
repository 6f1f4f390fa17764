"""Numbers, exact: what is written is what counts, and a truth value is not a number."""

import math
import re
from decimal import Decimal
from typing import Any

from webassay.matching.value import NotOfType, ValueType, short_text, wrong_type

_WRITTEN = re.compile(r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?|[+-]?\.[0-9]+")


def read_number(raw: Any) -> Decimal:
    """`1,000` is a thousand; `12,5` and `1e3` are refused, not guessed at."""
    if isinstance(raw, bool):
        raise wrong_type(raw, "a number")
    if isinstance(raw, int | float):
        return _exact(raw)
    text = short_text(raw, "a number")
    if not _WRITTEN.fullmatch(text):
        raise NotOfType(f"{text!r} is not a number")
    return Decimal(text.replace(",", ""))


def read_integer(raw: Any) -> Decimal:
    """`5.0` is an integer, as it is in JSON Schema."""
    number = read_number(raw)
    if number != number.to_integral_value():
        raise NotOfType(f"{number} is not a whole number")
    return number


def _exact(raw: int | float) -> Decimal:
    """A float by its shortest spelling, so that 0.1 is a tenth."""
    if not math.isfinite(raw) if isinstance(raw, float) else raw.bit_length() > 1024:
        raise NotOfType("the number is out of range")
    return Decimal(repr(raw))


NUMBER = ValueType("number", read_number)
INTEGER = ValueType("integer", read_integer)
