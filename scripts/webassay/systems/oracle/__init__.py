"""Does miniweb's tasks in the browser as a person would: proof that each can be done, and that its judge agrees."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webassay.core.task import Task
from webassay.errors import AgentFault
from webassay.systems.oracle import admin, desk, forum, several, shop, wiki
from webassay.systems.oracle.hands import Hands

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 2

Solution = Callable[[Hands, dict[str, Any]], dict[str, Any]]
SOLUTIONS: dict[str, Solution] = {
    name: solution for site in (shop, admin, forum, wiki, desk, several) for name, solution in site.SOLUTIONS.items()
}
"""By template."""


def knows(task: Task) -> bool:
    """Whether there is a way to do it at all."""
    return task.template in SOLUTIONS


@dataclass(frozen=True)
class Oracle:
    """Knows the sites and the task's parameters, never the task's expected answer."""

    knows = staticmethod(knows)

    def solve(self, task: Task, session: "Session") -> str:
        """The final response as JSON."""
        return json.dumps(perform(task, Hands(session)))


def perform(task: Task, hands: Hands, values: dict[str, Any] | None = None) -> dict[str, Any]:
    """The response; `values` in place of the task's own parameters is how the noisy oracle gets things wrong."""
    if not knows(task):
        raise AgentFault(f"{task.task_id}: the oracle has no solution for template {task.template!r}")
    hands.start()
    return SOLUTIONS[task.template](hands, task.instantiation_dict if values is None else values)
