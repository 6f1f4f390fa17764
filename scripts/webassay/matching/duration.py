"""Lengths of time, in seconds. A bare number has no unit, and `1:30` may be minutes or hours: both are refused."""

import re
from datetime import timedelta
from typing import Any

import isodate
from pytimeparse.timeparse import timeparse

from webassay.matching.tolerance import Tolerances, within
from webassay.matching.value import NotOfType, ValueType, short_text

_CLOCK = re.compile(r"(?:[0-9]+ ?d(?:ays?)?,? )?[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]")
_CLOCK_WITH_UNIT = re.compile(r"([0-9]{1,3}):([0-5][0-9]) ?(h|hrs?|hours?|m|mins?|minutes?)")
_WORDS = re.compile(r"[0-9.]+ ?[a-z]+(?:(?:[, ] ?)?[0-9.]+ ?[a-z]+)*")
_JOINED = re.compile(r",? and |, ")
_ISO = re.compile(r"p(?:[0-9.]+[dw])?(?:t[0-9.hms]+)?")


def read_duration(raw: Any) -> float:
    text = short_text(raw, "a duration").casefold()
    if (found := _CLOCK_WITH_UNIT.fullmatch(text)) is not None:
        large, small, unit = found.groups()
        return (int(large) * 60 + int(small)) * (60 if unit.startswith("h") else 1)
    if _ISO.fullmatch(text):
        return _iso_seconds(text)
    text = _JOINED.sub(" ", text).replace(". ", " ").removesuffix(".")
    seconds = timeparse(text) if _CLOCK.fullmatch(text) or _WORDS.fullmatch(text) else None
    if seconds is None:
        raise NotOfType(f"{text!r} is not a duration with its unit")
    return float(seconds)


def same_duration(expected: float, actual: float, tolerances: Tolerances) -> bool:
    return within(expected, actual, tolerances.duration_seconds, tolerances.duration_relative)


def _iso_seconds(text: str) -> float:
    try:
        found = isodate.parse_duration(text.upper())
    except (ValueError, OverflowError, ArithmeticError):
        found = None
    if not isinstance(found, timedelta) or not any(char.isdigit() for char in text):
        raise NotOfType(f"{text!r} is not a duration")
    return found.total_seconds()


DURATION = ValueType("duration", read_duration, same_duration)
