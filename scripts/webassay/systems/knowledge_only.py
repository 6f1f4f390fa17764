"""A model's answer from memory, without a browser: how much of a benchmark can be known or guessed (Table 13)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webassay.core.task import Task
from webassay.errors import ConfigError

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1


@dataclass(frozen=True)
class KnowledgeOnly:
    prompt: str

    def solve(self, task: Task, session: "Session") -> str:
        if session.model is None:
            raise ConfigError("system knowledge_only asks a model, and model is none; choose one, such as model=gpt-4o")
        messages = [{"role": "system", "content": self.prompt}, {"role": "user", "content": task.intent}]
        reply = session.model.ask(messages)
        session.log.info("%s answered from memory: %s", reply.model, reply.usage)
        return reply.text
