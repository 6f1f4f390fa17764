"""Numbers, money, dates, months, durations and distances: how the release reads them and when two are equal.

A reader raises whatever it likes; the caller then keeps the value as it was given. Texts of absurd length are refused
unread: the release would be busy with them for minutes, and then refuse them too.
"""

import calendar
import re
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from dateutil import parser as dateutil
from price_parser import Price
from pytimeparse2 import parse as parse_seconds
from word2number.w2n import word_to_num

from webassay.judges.release.patterns import TooCostly

MAX_TEXT = 1_000
MONEY_TOLERANCE = Decimal("0.1")
DURATION_SECONDS, DURATION_SHARE = 180.0, 0.10
DISTANCE_METRES, DISTANCE_SHARE = Decimal(10), Decimal("0.02")
_COMMA_WITHOUT_SPACE = re.compile(r",(?! )")
_CLOCK_HOURS = re.compile(r"(\d+):(\d+)\s*hours?")
_THOUSANDS_OF_METRES = re.compile(r"(\d+(?:\.\d+)?)\s*k(?=\s|$)", re.IGNORECASE)
_POWER_OF_NUMBER = re.compile(r"[\d)]\s*(?:\*\*|\^)(?=\s*[+-]?\s*[\d(])")
_LONG_NUMBER = re.compile(r"\d{5}")


def read_number(value: Any) -> float:
    _refuse_empty(value)
    if isinstance(value, int | float):
        return float(value)
    text = str(value)
    try:
        return float(text.replace(",", "").replace(" ", ""))
    except ValueError:
        return float(word_to_num(_short(text)))


def read_money(value: Any) -> Decimal:
    """The first amount in the text; the separator that comes last is the decimal one, only a leading minus counts."""
    _refuse_empty(value)
    text = str(value)
    negative = text.startswith("-")
    text = text.replace("-", "") if negative else text
    separator = "." if text.rfind(".") > text.rfind(",") else ","
    amount = Price.fromstring(text, decimal_separator=separator).amount_float
    if amount is None:
        raise ValueError("no amount of money")
    return -Decimal(str(amount)) if negative else Decimal(str(amount))


def read_date(value: Any) -> str:
    """Month before day; what the text leaves out is taken from today's date."""
    if not value or not isinstance(value, str):
        raise ValueError("no date")
    return dateutil.parse(_COMMA_WITHOUT_SPACE.sub(", ", _short(value)), dayfirst=False).date().isoformat()


def read_month(value: Any) -> str:
    _refuse_empty(value)
    if isinstance(value, int | float):
        number = int(value)
        if number != value:
            raise ValueError("no whole month")
    else:
        number = _month_in(_short(str(value).strip()))
    if not 1 <= number <= 12:
        raise ValueError(f"no month {number}")
    return calendar.month_name[number]


def _month_in(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return dateutil.parse(text, default=dateutil.parse("2000-01-01")).month


def clock_hours(text: str) -> str:
    """`1:35 hours` is an hour and 35 minutes; `1:35` alone stays, and is 95 seconds."""
    return _CLOCK_HOURS.sub(r"\1h\2m", text) if len(text) <= MAX_TEXT else text


def read_duration(value: Any) -> timedelta:
    if not value:
        raise ValueError("no duration")
    text = _short(str(value))
    if _is_number(text):
        raise ValueError("a duration without unit")
    seconds = parse_seconds(text)
    if not isinstance(seconds, int | float):
        raise ValueError("no duration")
    return timedelta(seconds=float(seconds))


def read_distance(value: Any) -> Decimal:
    """In metres. The text is an expression to pint, which computes: powers of large numbers are refused."""
    _refuse_empty(value)
    text = _THOUSANDS_OF_METRES.sub(r"\1 km", _short(str(value)))
    if _is_number(text):
        raise ValueError("a distance without unit")
    if _is_costly(text):
        raise TooCostly(f"the distance {text[:80]!r} holds powers that may never be computed")
    units = _units()
    return Decimal(str(units.parse_expression(text).to(units.meter).magnitude))


def _is_costly(text: str) -> bool:
    powers = len(_POWER_OF_NUMBER.findall(text))
    return powers > 1 or (powers == 1 and (len(text) > 60 or _LONG_NUMBER.search(text) is not None))


def same_money(expected: Sequence[Decimal], actual: Sequence[Decimal]) -> bool:
    """Of several alternatives only the first counts."""
    return abs(expected[0] - actual[0]) <= MONEY_TOLERANCE


def same_duration(expected: Sequence[timedelta], actual: Sequence[timedelta]) -> bool:
    return any(
        abs(one - other) <= max(DURATION_SECONDS, max(one, other) * DURATION_SHARE)
        for one in map(timedelta.total_seconds, expected)
        for other in map(timedelta.total_seconds, actual)
    )


def same_distance(expected: Sequence[Decimal], actual: Sequence[Decimal]) -> bool:
    return any(
        abs(one - other) <= max(DISTANCE_METRES, max(one, other) * DISTANCE_SHARE)
        for one in expected
        for other in actual
    )


def _refuse_empty(value: Any) -> None:
    if not value and not isinstance(value, int | float):
        raise ValueError("empty")


def _short(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise ValueError(f"{len(text)} characters, more than {MAX_TEXT}")
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@cache
def _units() -> Any:
    import pint  # half a second: only for those who need it

    return pint.UnitRegistry()
