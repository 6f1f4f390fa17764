"""A model's answer from memory, without a browser: how much of a benchmark can be known or guessed (Table 13)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webassay.core.task import Task
from webassay.systems.response_form import RESPONSE_FORM

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 2


@dataclass(frozen=True)
class KnowledgeOnly:
    prompt: str

    def solve(self, task: Task, session: "Session") -> str:
        messages = [{"role": "system", "content": self.prompt}, {"role": "user", "content": task.intent}]
        reply = session.ask("KnowledgeOnly", messages, form=RESPONSE_FORM)
        session.log.info("%s answered from memory: %s", reply.model, reply.usage)
        return reply.text
