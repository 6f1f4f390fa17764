"""The oracle with seeded mistakes at a known rate: something between 0 and 100 % to try intervals and failure modes on.

A task goes wrong when sha256 of seed and task id, read as a number from 0 to 1, is below `rate`, so the same task has
always the same fate. Over n tasks the share that goes wrong is therefore close to `rate`, and known exactly:
`NoisyOracle.goes_wrong` says it without running anything. Every mistake fails its task under the judge `verified`:
the number of failures is the number of tasks chosen. The original harness does not see all of them.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from webassay.core.task import Task
from webassay.errors import AgentFault
from webassay.systems.oracle import knows, perform
from webassay.systems.oracle.hands import Hands, Response

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 2
"""Raise it with the oracle's: it does what the oracle does."""

MONTHS = [date(2000, number, 1).strftime("%B") for number in range(1, 13)]
CITIES = ("Bath", "Exeter")
Slip = Callable[[Any], Any]


@dataclass(frozen=True)
class NoisyOracle:
    rate: float = 0.3
    """Share of tasks that go wrong, in expectation over seeds."""
    seed: int = 0
    knows = staticmethod(knows)

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"rate is {self.rate:g}, expected a share from 0 to 1")

    def goes_wrong(self, task_id: str) -> bool:
        return int.from_bytes(self._lot(task_id)[:8]) < self.rate * 2**64

    def solve(self, task: Task, session: "Session") -> str:
        if not self.goes_wrong(task.task_id):
            return json.dumps(perform(task, Hands(session)))
        mistake = MISTAKES[self._lot(task.task_id)[8] % len(MISTAKES)]
        session.log.info("noisy oracle: %s", mistake.__name__)
        return json.dumps(mistake(task, session))

    def _lot(self, task_id: str) -> bytes:
        return sha256(f"{self.seed}/{task_id}".encode()).digest()


class _Enough(Exception):
    """Stopped before the click that counts."""


class _HastyHands(Hands):
    def submit(self, selector: str, thought: str) -> None:
        raise _Enough


def wrong_value(task: Task, session: "Session") -> Response:
    """One value of the answer is wrong; where none was asked for, the status."""
    return _misread(perform(task, Hands(session)))


def wrong_status(task: Task, session: "Session") -> Response:
    """Gives up on what was done, or claims what cannot be done."""
    return _misjudged(perform(task, Hands(session)))


def stops_short(task: Task, session: "Session") -> Response:
    """Fills in the form, does not send it, and claims success; on tasks without a form it misreads."""
    try:
        return _misread(perform(task, _HastyHands(session)))
    except _Enough:
        return {"action": "mutate", "status": "SUCCESS", "results": None, "error_details": None}


def wrong_thing(task: Task, session: "Session") -> Response:
    """Writes something else, or elsewhere; on tasks that only look it leaves the page that it was to open."""
    if task.template in SLIPS:
        name, slip = SLIPS[task.template]
        values = task.instantiation_dict
        response = perform(task, Hands(session), values | {name: slip(values[name])})
        return response | {"status": "SUCCESS", "results": None, "error_details": None}
    response = perform(task, Hands(session))
    if response["action"] == "navigate":
        session.start("Go back to the start page")
        return response
    return _misread(response)


def no_answer(task: Task, session: "Session") -> Response:
    """Does the task and never says so."""
    perform(task, Hands(session))
    raise AgentFault("the noisy oracle forgot to answer")


MISTAKES = (wrong_value, wrong_status, stops_short, wrong_thing, no_answer)

SLIPS: dict[str, tuple[str, Slip]] = {
    "shop-review": ("stars", lambda stars: stars % 5 + 1),
    "shop-address": ("value", lambda value: value.replace("1", "7")),
    "shop-order": ("city", lambda city: next(other for other in CITIES if other != city)),
    "admin-order-status": ("status", lambda _: "Cancelled"),
    "admin-stock": ("stock", lambda stock: stock + 1),
    "admin-voucher": ("code", lambda code: f"{code}B"),
    "forum-vote": ("a_vote", lambda words: "a downvote" if words == "an upvote" else "an upvote"),
    "forum-new-topic": ("forum", lambda _: "General"),
    "forum-reply": ("message", lambda message: message.rpartition(" ")[0]),
    "wiki-edit": ("line", lambda line: line.rpartition(" ")[0]),
    "desk-create": ("queue", lambda _: "Orders"),
    "desk-close": ("message", lambda message: message.rpartition(" ")[0]),
    "multi-stock": ("stock", lambda stock: stock + 1),
}
"""By template: the parameter that is got wrong, and how."""


def _misjudged(response: Response) -> Response:
    if response["status"] == "SUCCESS":
        return response | {"status": "NOT_FOUND_ERROR", "results": None}
    return response | {"status": "SUCCESS", "results": [0] if response["action"] == "retrieve" else None}


def _misread(response: Response) -> Response:
    results = response["results"]
    if not results:
        return _misjudged(response)
    return response | {"results": results[:-1] if len(results) > 1 else [_other(results[0])]}


def _other(value: Any) -> Any:
    """Another value of the same type, further off than any tolerance."""
    if isinstance(value, dict):
        first, *_ = value
        return value | {first: _other(value[first])}
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int | float) else _other_text(value)


def _other_text(text: str) -> str:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return (date.fromisoformat(text) + timedelta(days=1)).isoformat()
    if text in MONTHS:
        return MONTHS[(MONTHS.index(text) + 1) % 12]
    if text.startswith("http"):
        return f"{text.rstrip('/')}-2/"
    if re.search(r"\d", text):
        return re.sub(r"\d+", lambda number: str(2 * int(number[0]) + 1), text, count=1)
    return f"{text} 2"
