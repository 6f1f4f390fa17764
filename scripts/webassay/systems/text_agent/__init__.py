"""An agent for models that read: it is shown an outline of the page, and says in JSON what to do next."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error

from webassay.core.response import ParseFailure, parse_response
from webassay.core.task import Task
from webassay.errors import AgentFault
from webassay.systems.acting import Acting, BadReply, one_line
from webassay.systems.text_agent.actions import carry_out
from webassay.systems.text_agent.page import View, look
from webassay.systems.text_agent.replies import Answer, read_reply, reply_form

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1
"""Of the whole package."""

COMPONENT = "TextAgent"
LONGEST_NOTE = 200


@dataclass(frozen=True)
class TextAgent:
    prompt: str
    characters: int = 8000
    """Of the page's outline."""
    elements: int = 150
    """How many of them can be acted on at a time."""
    history: int = 10
    """Steps of its own that the model is shown."""
    bad_replies: int = 5
    """How many replies of which no action can be made are forgiven."""
    settle_seconds: float = 3.0

    def solve(self, task: Task, session: "Session") -> str:
        acting = Acting(session, self.settle_seconds)
        acting.start()
        notes: list[str] = []
        bad = 0
        while True:
            view = self._look(session)
            reply = session.ask(COMPONENT, self._messages(task, view, notes), form=reply_form(view))
            try:
                action = read_reply(reply.text)
                if isinstance(action, Answer):
                    return _checked(action)
                trouble = carry_out(action, view, acting)
            except BadReply as problem:
                bad += 1
                if bad > self.bad_replies:
                    raise AgentFault(f"{bad} replies of which no action could be made; the last: {problem}") from None
                notes.append(f"Your reply was not carried out: {problem}")
            else:
                said = f"{_described(action)}: {'failed: ' + trouble if trouble else 'done'}"
                notes.append(f"{said}. {action.thought[:LONGEST_NOTE]}".strip())

    def _look(self, session: "Session") -> View:
        """A page that cannot be read can still be left."""
        try:
            return look(session.page, self.characters, self.elements)
        except Error as error:
            if not session.sites.answers(session.task.sites):
                raise
            return View(session.page.url, "", (f"(this page cannot be read: {one_line(error)})",), ())

    def _messages(self, task: Task, view: View, notes: list[str]) -> list[dict[str, Any]]:
        so_far = "\n".join(f"- {note}" for note in notes[-self.history :]) if self.history else ""
        parts = [
            f"Task: {task.intent}",
            f"What you did so far:\n{so_far or '- You opened the start page.'}",
            f"The page now: {view.title}\nAddress: {view.url[:LONGEST_NOTE]}",
            "\n".join(view.lines),
            "Reply with the JSON object of your next action.",
        ]
        return [{"role": "system", "content": self.prompt}, {"role": "user", "content": "\n\n".join(parts)}]


def _checked(answer: Answer) -> str:
    """An answer that no judge could read is told to the model, as a form tells a person what is missing."""
    if isinstance(found := parse_response(answer.response), ParseFailure):
        raise BadReply(f"the answer's form is wrong: {found.reason}")
    return answer.response


def _described(action: Any) -> str:
    fields = {name: getattr(action, name) for name in action.__struct_fields__ if name != "thought"}
    said = ", ".join(f"{name} {value!r}" for name, value in fields.items())
    return f"{action.__struct_config__.tag} {said}".strip()[:LONGEST_NOTE]
