"""Months of the year, by English name, abbreviation or number."""

from typing import Any

from dateutil.parser import parserinfo

from webassay.matching.number import read_integer
from webassay.matching.value import NotOfType, ValueType, short_text

_NAMES = {name.casefold(): number for number, names in enumerate(parserinfo.MONTHS, 1) for name in names}


def read_month(raw: Any) -> int:
    if isinstance(raw, str) and (name := short_text(raw, "a month").casefold().removesuffix(".")) in _NAMES:
        return _NAMES[name]
    number = read_integer(raw)
    if not 1 <= number <= 12:
        raise NotOfType(f"{number} is not a month")
    return int(number)


MONTH = ValueType("month", read_month)
