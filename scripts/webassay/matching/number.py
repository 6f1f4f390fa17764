"""Numbers, exact: what is written is what counts, and a truth value is not a number.

| spelling | |
|---|---|
| `1,000` `1 000` `007` `+5` `−5` `.5` | read |
| `5.` | read: the stop ends a sentence, or a number without decimals |
| `#170` | read: the sign says "number" and no more |
| `5 %` | refused: it may be 5 or 0.05 |
| `3 items` `3 thousand` `3k` | refused: a word after a number may be its scale, or another quantity |
| `five` `12,5` `1e3` `5²` `nan` | refused, not guessed at |
"""

import math
import re
from decimal import Decimal
from typing import Any

from webassay.matching.tolerance import Tolerances
from webassay.matching.value import NotOfType, ValueType, short_text, wrong_type

_WRITTEN = re.compile(
    r"[+-]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?: [0-9]{3})+)(?:\.[0-9]+)?"
    r"|[+-]?\.[0-9]+|# ?[0-9]+"
)
MAX_BITS = 1024


def read_number(raw: Any) -> Decimal:
    if isinstance(raw, bool):
        raise wrong_type(raw, "a number")
    if isinstance(raw, int | float):
        return exact(raw)
    text = short_text(raw, "a number")
    written = text.removesuffix(".")
    if not _WRITTEN.fullmatch(written):
        raise NotOfType(f"{text!r} is not a number")
    return Decimal(re.sub("[# ,]", "", written))


def read_integer(raw: Any) -> Decimal:
    """`5.0` is an integer, as it is in JSON Schema."""
    number = read_number(raw)
    if number != number.to_integral_value():
        raise NotOfType(f"{number} is not a whole number")
    return number


def exact(raw: int | float) -> Decimal:
    """A float by its shortest spelling, so that 0.1 is a tenth."""
    if not math.isfinite(raw) if isinstance(raw, float) else raw.bit_length() > MAX_BITS:
        raise NotOfType("the number is out of range")
    return Decimal(repr(raw))


def same_number(expected: Decimal, actual: Decimal, tolerances: Tolerances) -> bool:
    return expected == actual or abs(expected - actual) <= tolerances.number


NUMBER = ValueType("number", read_number, same_number)
INTEGER = ValueType("integer", read_integer, same_number)
