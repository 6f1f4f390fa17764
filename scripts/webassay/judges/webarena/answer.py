"""The text that the original harness would have been given, from whichever form the agent answered in.

| structured response | text |
|---|---|
| any status but SUCCESS | `N/A` |
| results | the values, joined by `, `; of objects and lists within them, their values in order |
| a number | without an exponent and without zeros that say nothing: 45.95, 12.5, 45 (also for 45.0), 1200000 |
| true, false, null | `Yes`, `No`, nothing |
| mutate and navigate that succeeded | the empty text |

References say "45.95", "182.4" and "0", and the guard for single characters wants `0` and not `0.0`, so the shortest
spelling fits most of them. It cannot fit "745.00": where a task is kept in both forms, and its structured answer is a
number, its references should have no zeros at the end. Any other text, a malformed response too, is taken as it is.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from webassay.core.response import ParseFailure, parse_response

NOT_ACHIEVABLE = "N/A"


def plain_answer(text: str) -> str:
    response = parse_response(text)
    if isinstance(response, ParseFailure):
        return text
    if response.status != "SUCCESS":
        return NOT_ACHIEVABLE
    return ", ".join(_values(response.results or []))


def _values(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _values(part)
    elif value is not None:
        yield _written(value)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, float):
        digits = format(Decimal(repr(value)), "f")
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    return str(value)
