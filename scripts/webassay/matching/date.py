"""Calendar days; what the text leaves out is never filled in from the clock."""

import re
from datetime import date, datetime
from typing import Any

from dateutil.parser import parser, parserinfo

from webassay.matching.value import NotOfType, ValueType, short_text

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# They differ in year, month and day, and in the day by more than a week, so that a week day cannot hide the difference.
_DEFAULTS = (datetime(2001, 1, 1), datetime(2004, 2, 20))


class _FullYears(parserinfo):
    def convertyear(self, year: int, century_specified: bool = False) -> int:
        """dateutil would take the century of '24' from the clock."""
        if year < 100:
            raise ValueError("the year has no century")
        return year


_PARSER = parser(_FullYears())


def read_date(raw: Any) -> date:
    """ISO first; otherwise as US sites write: month before day where both could be meant."""
    text = short_text(raw, "a date")
    try:
        if _ISO.fullmatch(text):
            return date.fromisoformat(text)
        readings = {_parse(text, default) for default in _DEFAULTS}
    except (ValueError, OverflowError, TypeError, AttributeError, IndexError):  # all seen from dateutil on odd text
        raise NotOfType(f"{text!r} is not a date") from None
    if len(readings) > 1:
        raise NotOfType(f"{text!r} is not a whole date: year, month and day are needed")
    return readings.pop()


def _parse(text: str, default: datetime) -> date:
    return _PARSER.parse(text, default=default, ignoretz=True).date()


DATE = ValueType("date", read_date)
