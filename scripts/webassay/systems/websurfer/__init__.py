"""webeval's agent for models that see, as Fara-7B expects it: a screenshot each round, one tool call in return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from webassay.core.response import ParseFailure, parse_response
from webassay.core.task import Task
from webassay.errors import AgentFault
from webassay.systems.acting import Acting, BadReply
from webassay.systems.response_form import RESPONSE_FORM
from webassay.systems.websurfer.actions import Hand
from webassay.systems.websurfer.calls import Memorize, Terminate, read_call, signature
from webassay.systems.websurfer.conversation import Conversation, shown_url
from webassay.systems.websurfer.pictures import Scale

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 2
"""Of the whole package."""

COMPONENT = "WebSurfer"


@dataclass(frozen=True)
class WebSurfer:
    prompt: str
    """`{template}` stands for the chosen template, and `{tools}`, here or there, for the tool's signature."""
    next_prompt: str
    """Beside every screenshot but the first; `{url}` stands for the page's address."""
    answer_prompt: str
    """Asks for the structured response when the task has been ended."""
    fn_call_template: str = "default"
    fn_call_templates: Mapping[str, str] = field(default_factory=dict)
    """How the model is told of its tool, in several ways by name."""
    max_n_images: int = 3
    max_url_chars: int = 100
    min_pixels: int = 3136
    max_pixels: int = 12_845_056
    search_url: str = "https://www.bing.com/search?q={query}&FORM=QBLH"
    structured: bool = True
    """False: the thought of the last step is the answer, as in webeval."""
    bad_replies: int = 5
    """How many replies of which no step can be made are forgiven."""
    settle_seconds: float = 3.0

    def __post_init__(self) -> None:
        if self.max_n_images < 1 or not 0 < self.min_pixels <= self.max_pixels:
            raise ValueError("max_n_images is at least 1, and min_pixels lies between 1 and max_pixels")
        if self.fn_call_template not in self.fn_call_templates:
            known = ", ".join(self.fn_call_templates)
            raise ValueError(f"fn_call_template {self.fn_call_template!r} is unknown; known are {known}")

    def solve(self, task: Task, session: "Session") -> str:
        acting = Acting(session, self.settle_seconds)
        acting.start()
        viewport = session.settings["viewport"]
        scale = Scale.of(viewport["width"], viewport["height"], self.min_pixels, self.max_pixels)
        told = self.prompt.replace("{template}", self.fn_call_templates[self.fn_call_template])
        talk = Conversation(told.replace("{tools}", signature(scale.model)), scale.model, self.max_n_images)
        talk.show(task.intent, _newest(session))
        thought = self._surf(session, talk, Hand(acting, scale, self.search_url))
        return self._response(session, talk) if self.structured else thought

    def _surf(self, session: "Session", talk: Conversation, hand: Hand) -> str:
        """The thought of the step that ended the task."""
        facts: list[str] = []
        bad = 0
        while True:
            reply = session.ask(COMPONENT, talk.messages)
            talk.hear(reply.text)
            try:
                thought, action = read_call(reply.text)
                if isinstance(action, Terminate):
                    session.log.info("the model ended the task: %s", action.status)
                    return thought
                trouble = hand.carry_out(action, thought)
                if isinstance(action, Memorize):
                    facts.append(action.fact)
                note = f"Your last action failed: {trouble}" if trouble else ""
            except BadReply as problem:
                bad += 1
                if bad > self.bad_replies:
                    raise AgentFault(f"{bad} replies without a usable tool call; the last: {problem}") from None
                note = f"Your last reply was not carried out: {problem}"
            talk.show(self._text(session, facts, note), _newest(session))

    def _text(self, session: "Session", facts: list[str], note: str) -> str:
        """Facts are in each, since older ones are not sent again."""
        url = shown_url(session.page.url, self.max_url_chars)
        noted = "\n".join(["Facts you noted:", *(f"- {fact}" for fact in facts)]) if facts else ""
        return "\n".join(filter(None, [note, noted, self.next_prompt.replace("{url}", url)]))

    def _response(self, session: "Session", talk: Conversation) -> str:
        """The last reply stands if none has the form: judges say what is wrong with it."""
        text, problem = "", ""
        for _ in range(self.bad_replies + 1):
            talk.show("\n".join(filter(None, [problem, self.answer_prompt])), _newest(session))
            text = session.ask(COMPONENT, talk.messages, form=RESPONSE_FORM).text
            if not isinstance(found := parse_response(text), ParseFailure):
                return text
            talk.hear(text)
            problem = f"Your last reply does not have the form: {found.reason}"
        return text


def _newest(session: "Session") -> Path:
    """What the model sees is what is kept as evidence."""
    return session.folder / session.screenshots[-1]
