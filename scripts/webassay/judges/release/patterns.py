"""Regular expressions, which the release finds in the agent's text as well as in the task's: any `^…$` is one.

Python's engine may take longer than the universe for a short pattern, so what is not plainly cheap is matched in a
process of its own that can be stopped.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

SECONDS = 10.0
"""For all such patterns of one task together."""
CHEAP_STEPS = 10_000_000
MAX_TEXT_OF_TASK = 2_000
"""On texts up to this length a task's own patterns are trusted."""
_QUANTIFIER = re.compile(r"[*+?{]")
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_CHILD = """
import json, re, sys
how, pattern, flags, text = json.load(sys.stdin)
print(int(getattr(re.compile(pattern, flags), how)(text) is not None))
"""

How = Literal["match", "fullmatch", "search"]


class TooCostly(Exception):
    """The release would not come back from this; it becomes an error of the evaluator, never a failure."""


_deadline: ContextVar[float] = ContextVar("deadline")


@contextmanager
def limited_time() -> Iterator[None]:
    """Within, all patterns together get SECONDS; outside, each does."""
    token = _deadline.set(time.monotonic() + SECONDS)
    try:
        yield
    finally:
        _deadline.reset(token)


def is_pattern(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= 2 and value.startswith("^") and value.endswith("$")


def found(how: How, pattern: str, text: str, flags: re.RegexFlag = re.NOFLAG, *, of_task: bool = False) -> bool:
    """Whether the pattern matches, within bounds; a pattern that does not compile raises what `re` raises."""
    compiled = re.compile(pattern, flags)
    if (of_task and len(text) <= MAX_TEXT_OF_TASK) or _is_cheap(pattern, text):
        return getattr(compiled, how)(text) is not None
    return _found_in_child(how, pattern, text, flags)


def _is_cheap(pattern: str, text: str) -> bool:
    """An upper bound of the engine's steps: each quantifier may multiply the work by the length of the text."""
    if _REPEATED_GROUP.search(pattern):
        return False
    quantifiers = len(_QUANTIFIER.findall(pattern.replace("(?", "(")))
    return (len(text) + 2) ** min(quantifiers, 30) <= CHEAP_STEPS or quantifiers <= 1


def _found_in_child(how: How, pattern: str, text: str, flags: re.RegexFlag) -> bool:
    words = json.dumps([how, pattern, int(flags), text])
    left = max(_deadline.get(time.monotonic() + SECONDS) - time.monotonic(), 0.001)
    command = [sys.executable, "-I", "-S", "-c", _CHILD]
    try:
        done = subprocess.run(command, input=words, capture_output=True, text=True, timeout=left)
    except subprocess.TimeoutExpired:
        raise TooCostly(f"the pattern {pattern[:80]!r} was still being matched when its time was up") from None
    if done.returncode != 0:
        raise TooCostly(f"the pattern {pattern[:80]!r} could not be matched: {done.stderr.strip()[-200:]}")
    return done.stdout.strip() == "1"
