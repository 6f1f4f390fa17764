"""Answers without a look at any page: what a harness must not be fooled by (the paper's Table 13).

All but the empty one are given in the best form, so that only their content is wrong.
"""

import json
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webassay.core.task import Task

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1

WORDS = (
    *("Alder", "Basket", "Canvas", "Delta", "Ember", "Fjord", "Garnet", "Harbour", "Indigo", "Juniper"),
    *("Kettle", "Lantern", "Meadow", "Nickel", "Orchard", "Pebble", "Quartz", "Ribbon", "Saffron", "Timber"),
)


@dataclass(frozen=True)
class Constant:
    """The same answer to every task."""

    answer: str
    status: str = "SUCCESS"

    def solve(self, task: Task, session: "Session") -> str:
        return structured("retrieve", self.status, self.answer) if self.answer else ""


@dataclass(frozen=True)
class Echo:
    """The question as its own answer: it holds whatever words the task is about."""

    def solve(self, task: Task, session: "Session") -> str:
        return structured("retrieve", "SUCCESS", task.intent)


@dataclass(frozen=True)
class Numbers:
    """The numbers of the question, else 0."""

    def solve(self, task: Task, session: "Session") -> str:
        return structured("retrieve", "SUCCESS", " ".join(re.findall(r"\d+", task.intent)) or "0")


@dataclass(frozen=True)
class Random:
    """A truth value, a whole number up to 100 or one to three words, each kind in a third of the tasks."""

    seed: int = 0

    def solve(self, task: Task, session: "Session") -> str:
        rng = random.Random(f"{self.seed}/{task.task_id}")
        truth = rng.choice(("yes", "no"))
        words = " ".join(rng.sample(WORDS, rng.randint(1, 3)))
        return structured("retrieve", "SUCCESS", rng.choice((truth, str(rng.randint(0, 100)), words)))


def structured(action: str, status: str, answer: str) -> str:
    """A response with `answer` as its one result where a response may have results, which is a retrieve's success."""
    results = [answer] if (action, status) == ("retrieve", "SUCCESS") else None
    return json.dumps({"action": action, "status": status, "results": results, "error_details": None})
