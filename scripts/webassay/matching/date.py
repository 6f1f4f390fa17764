"""Calendar days; what the text leaves out is never filled in from the clock, and a day of the week must fit."""

import re
from datetime import date, datetime
from typing import Any

from dateutil.parser import parser, parserinfo

from webassay.matching.value import NotOfType, ValueType, short_text

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WORD = re.compile(r"[A-Za-z]+")
# They differ in year, month and day, and in the day by more than a week, so that a week day cannot hide the difference.
_DEFAULTS = (datetime(2001, 1, 1), datetime(2004, 2, 20))


class _FullYears(parserinfo):
    def convertyear(self, year: int, century_specified: bool = False) -> int:
        """dateutil would take the century of '24' from the clock."""
        if year < 100:
            raise ValueError("the year has no century")
        return year


_INFO = _FullYears()
_PARSER = parser(_INFO)


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
    day = readings.pop()
    if _weekdays(text) - {day.weekday()}:  # dateutil reads it, and drops it where there is a date
        raise NotOfType(f"{text!r} names a day of the week that {day} is not")
    return day


def _weekdays(text: str) -> set[int]:
    found = (_INFO.weekday(word) for word in _WORD.findall(text))
    return {weekday for weekday in found if weekday is not None}


def _parse(text: str, default: datetime) -> date:
    return _PARSER.parse(text, default=default, ignoretz=True).date()


DATE = ValueType("date", read_date)
