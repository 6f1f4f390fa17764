"""Patterns of the expected side: `^…$`, held against the whole of the actual text, in bounded time.

A task's pattern may be harmless on what its author had in mind and not on what an agent sends. With Python's `re` one
of webarena-verified's, `^<\\!doctype html>.*<head>.*<title>Hello</title>.*</head>.*</html>$`, needs 13 s for 10 kB of
`<head><title>Hello</title></head>` over and over; `regex` needs 16 ms, and can be stopped.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from re import _parser as sre  # type: ignore[attr-defined]  # the only way to walk a pattern
from typing import Any

import regex

from webassay.errors import TrajectoryError
from webassay.matching.value import NotOfType

MAX_PATTERN_TEXT = 100_000
"""Three times the longest licence text that a task looks for."""
MAX_SECONDS = 0.5
"""A thousand times what a text takes that was not made to be slow."""
TOTAL_SECONDS = 1.0
"""Of the processor's time, for all texts of one attempt together: a trace may hold 200,000 addresses."""
_spent: ContextVar[list[float]] = ContextVar("spent")


class Busy(NotOfType):
    """The patterns of a task have had their time."""


@contextmanager
def limited_time() -> Iterator[None]:
    """Within, all patterns together get TOTAL_SECONDS, and match nothing after it."""
    token = _spent.set([0.0])
    try:
        yield
    finally:
        _spent.reset(token)


def is_pattern(expected: Any) -> bool:
    return isinstance(expected, str) and len(expected) > 1 and expected.startswith("^") and expected.endswith("$")


def check_pattern(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
    """Raises `re.error`, which the engine's own error is not."""
    try:
        _compiled(pattern, flags)
    except regex.error as error:
        raise re.error(str(error)) from None


def matches_pattern(pattern: str, text: str, flags: re.RegexFlag = re.IGNORECASE) -> bool:
    """The whole text must match; one that is too long, or keeps the pattern busy for too long, does not."""
    try:
        return match_pattern(pattern, text, flags)
    except Busy as busy:  # of this many texts, the one that matches may be the next
        raise TrajectoryError(str(busy)) from None
    except NotOfType:
        return False


def match_pattern(pattern: str, text: str, flags: re.RegexFlag = re.IGNORECASE) -> bool:
    if len(text) > MAX_PATTERN_TEXT:
        raise NotOfType(f"a text of {len(text)} characters is too long for the expected pattern")
    spent = _spent.get([0.0])
    if spent[0] > TOTAL_SECONDS:
        raise Busy(f"the expected patterns found no end on what was sent within {TOTAL_SECONDS:g} s")
    started = time.thread_time()
    try:
        return _compiled(pattern, flags).fullmatch(text.strip(), timeout=MAX_SECONDS) is not None
    except TimeoutError:
        raise NotOfType(f"the expected pattern found no end on this text within {MAX_SECONDS:g} s") from None
    finally:
        spent[0] += time.thread_time() - started


@lru_cache(maxsize=2048)
def literal(pattern: str) -> str:
    """The longest piece without a slash that each address of the pattern has beyond its host; empty: none is known."""
    try:
        parsed = sre.parse(pattern)
    except re.error:  # the other engine takes it
        return ""
    if parsed.state.flags & re.IGNORECASE:
        return ""
    runs = [""]
    for kind, value in parsed:
        if kind is sre.LITERAL:
            runs[-1] += chr(value)
        elif kind is not sre.AT:
            runs.append("")
    beyond = [run.partition("://")[2].partition("/")[2] if "://" in run else run for run in runs]
    return max((piece for run in beyond for piece in run.split("/")), key=len)


@lru_cache(maxsize=2048)
def _compiled(pattern: str, flags: re.RegexFlag) -> "regex.Pattern[str]":
    return regex.compile(pattern, int(flags))
