"""Patterns of the expected side: `^…$`, held against the whole of the actual text, in bounded time.

A task's pattern may be harmless on what its author had in mind and not on what an agent sends. With Python's `re` one
of webarena-verified's, `^<\\!doctype html>.*<head>.*<title>Hello</title>.*</head>.*</html>$`, needs 13 s for 10 kB of
`<head><title>Hello</title></head>` over and over; `regex` needs 16 ms, and can be stopped.
"""

import re
from functools import lru_cache
from typing import Any

import regex

from webassay.matching.value import NotOfType

MAX_PATTERN_TEXT = 100_000
"""Three times the longest licence text that a task looks for."""
MAX_SECONDS = 0.5
"""A thousand times what a text takes that was not made to be slow."""


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
    except NotOfType:
        return False


def match_pattern(pattern: str, text: str, flags: re.RegexFlag = re.IGNORECASE) -> bool:
    if len(text) > MAX_PATTERN_TEXT:
        raise NotOfType(f"a text of {len(text)} characters is too long for the expected pattern")
    try:
        return _compiled(pattern, flags).fullmatch(text.strip(), timeout=MAX_SECONDS) is not None
    except TimeoutError:
        raise NotOfType(f"the expected pattern found no end on this text within {MAX_SECONDS:g} s") from None


@lru_cache(maxsize=2048)
def _compiled(pattern: str, flags: re.RegexFlag) -> "regex.Pattern[str]":
    return regex.compile(pattern, int(flags))
