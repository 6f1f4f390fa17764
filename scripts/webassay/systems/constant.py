"""The same answer to every task, without a look at any page: what a harness must not be fooled by."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webassay.core.task import Task

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1


@dataclass(frozen=True)
class Constant:
    answer: str
    status: str = "SUCCESS"

    def solve(self, task: Task, session: "Session") -> str:
        """An empty answer stays empty; any other is given in the best form, so that only its content is wrong."""
        if not self.answer:
            return ""
        results = [self.answer] if self.status == "SUCCESS" else None
        return json.dumps({"action": "retrieve", "status": self.status, "results": results, "error_details": None})
