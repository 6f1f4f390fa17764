"""How each step of the Universal Verifier asks: a prompt, fenced material, an answer of a given shape, more tries."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from webassay.config.prompts import filled
from webassay.judges.framing import Frame
from webassay.judges.marked import Abstained, marked_object
from webassay.judges.opinions import user_message
from webassay.judges.shown import Screenshots, labelled
from webassay.llm.asking import Ask, Hearing
from webassay.llm.client import Reply

Answer = TypeVar("Answer", bound=msgspec.Struct)
Check = Callable[[Any], object]
"""Raises ValueError for an answer of the right shape that cannot be right."""
NOTHING = Screenshots(())


@dataclass(frozen=True)
class Question:
    step: str
    frame: Frame
    messages: list[dict[str, Any]]


@dataclass
class Clerk:
    """Puts the questions about one trajectory."""

    hearing: Hearing
    prompts: str
    attempts: int
    problems: list[str] = field(default_factory=list)
    """Steps that came to nothing and that a verdict can do without."""
    answers: dict[str, Any] = field(default_factory=dict)
    """By step, and by vote where there are several: what was understood so far."""

    def question(
        self, step: str, material: Mapping[str, str], shown: Screenshots = NOTHING, which: str = ""
    ) -> Question:
        """The prompt named `step`; `which` tells several of one step apart."""
        frame = Frame.around(f"rubric.{step}", tuple(material.values()), shown.pictures)
        blocks = "\n\n".join(frame.block(label, text) for label, text in material.items() if text)
        text = filled(self.prompts, step, material=blocks, fence=frame.fence, mark=frame.mark)
        return Question(f"{step} {which}".strip(), frame, user_message(text, labelled(shown)))

    def ask(self, question: Question, kind: type[Answer], check: Check | None = None, repeat: int = 0) -> Answer:
        """Abstained when no try gives an answer of that shape."""
        answer = self.ask_all([question], kind, [check], repeat)[0]
        if isinstance(answer, Abstained):
            raise answer
        return answer

    def ask_all(
        self,
        questions: Sequence[Question],
        kind: type[Answer],
        checks: Sequence[Check | None] = (),
        repeat: int = 0,
    ) -> list[Answer | Abstained]:
        """First tries together, further ones one by one."""
        replies = self.hearing.ask_all([Ask(one.step, one.messages, repeat) for one in questions])
        checking = checks or [None] * len(questions)
        return [
            self._settled(question, reply, kind, check, repeat)
            for question, reply, check in zip(questions, replies, checking, strict=True)
        ]

    def optional(self, question: Question, kind: type[Answer], check: Check | None = None) -> Answer | None:
        """None, and a problem on the list, where there is no answer."""
        try:
            return self.ask(question, kind, check)
        except Abstained as abstained:
            self.tell(question.step, abstained)
            return None

    def tell(self, step: str, abstained: Abstained) -> None:
        self.problems.append(f"{step}: {abstained}")

    def _settled(
        self, question: Question, reply: Reply, kind: type[Answer], check: Check | None, repeat: int
    ) -> Answer | Abstained:
        """What is wrong with a reply that is no answer is told, fenced, since it quotes; a refusal is left at that."""
        messages = question.messages
        for attempt in range(1, self.attempts + 1):
            try:
                answer = _read(reply, question.frame, kind, check)
                self.answers[f"{question.step} {repeat}" if repeat else question.step] = msgspec.to_builtins(answer)
                return answer
            except Abstained as abstained:
                if abstained.category != "parse_failure" or attempt == self.attempts:
                    return abstained
                content = [part for message in messages for part in message["content"]]
                messages = user_message(content, _complaint(question.frame, abstained.detail))
                reply = self.hearing.ask(Ask(question.step, messages, repeat))
        raise AssertionError("attempts is at least 1")


def _complaint(frame: Frame, detail: str) -> str:
    """Without the earlier reply: it may repeat the page's words, or the fence and the mark that no text may hold."""
    quoted = detail.replace(frame.fence, "").replace(frame.mark, "")
    block = frame.block("what is wrong", quoted)
    return f"An earlier answer could not be used:\n{block}\nAnswer again, in the form that was asked for."


def _read(reply: Reply, frame: Frame, kind: type[Answer], check: Check | None) -> Answer:
    said = marked_object(reply.text, frame.mark, reply.finish_reason)
    try:
        answer = msgspec.convert(said, kind)
        if check is not None:
            check(answer)
    except ValueError as error:
        raise Abstained("parse_failure", str(error)) from None
    return answer
