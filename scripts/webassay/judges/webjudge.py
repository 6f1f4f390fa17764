"""The judge `webjudge`: Online-Mind2Web's, with its sisters.

| method | questions | what the last one shows |
|---|---|---|
| `online_mind2web` | key points, each screenshot's score, verdict | actions; notes and screenshots that score |
| `general` | the same | the same, and the agent's reasons for its actions |
| `autonomous` | verdict | actions, answer, last screenshot |
| `agenttrek` | verdict, lenient | actions with reasons, last screenshot |
| `webvoyager` | verdict | answer, screenshots; in other words than the judge of that name asks for |

As there: all screenshots are scored, those at the threshold are shown, and the agent's answer only by the methods that
the table says so of.
Otherwise than there: a screenshot whose score cannot be read is shown, since dropping it could lose the evidence; where
none reaches the threshold the last one is; the cap takes the policy's end, not always the first; notes keep the numbers
of their screenshots.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webassay.config.prompts import filled
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Verdict
from webassay.errors import ConfigError
from webassay.judges.framing import Frame
from webassay.judges.marked import Abstained, category_of, marked_object
from webassay.judges.opinions import (
    MARKED,
    STRICT,
    WITHHELD,
    arguments_shown,
    check_parser,
    nothing_to_see,
    opinion_of,
    user_message,
    verdict_form,
    verdict_of_opinions,
)
from webassay.judges.replies import screenshot_score
from webassay.judges.shown import Screenshots, Shot, check_images, labelled, screenshots_of
from webassay.judges.strict import strict_screenshot_score
from webassay.judges.voting import Opinion, check_votes, draw
from webassay.llm.asking import Ask, Asker, Hearing
from webassay.llm.client import Reply

VERSION = 2
SCORED = {"online_mind2web": "om2w", "general": "general"}
"""Methods that score screenshots, and the form in which WebJudge reads their scores."""
METHODS = (*SCORED, "autonomous", "agenttrek", "webvoyager")
REASONED = ("general", "agenttrek")
"""Methods that show why the agent acted as it did."""
ANSWERED = ("autonomous", "webvoyager")
"""Methods that show what the agent answered."""
STATUS = (STRICT, "om2w_status", "arb_aer_line")
CAPITALS = (STRICT, "om2w_webvoyager_FAILURE")
"""Parsers for a line such as `Status: success`, and for the words SUCCESS and FAILURE."""
WORDS = {("screenshot", "general"): "_general", ("answer", "webvoyager"): "_webvoyager"}
"""Questions that ask for words of their own."""


@dataclass(frozen=True)
class Note:
    """What a model saw on one screenshot."""

    number: int
    score: int | None
    """None: it could not be read."""
    text: str


@dataclass(frozen=True)
class WebJudge:
    model: Mapping[str, Any]
    prompts: str
    images: Mapping[str, Any]
    llm: Mapping[str, Any]
    method: str = "online_mind2web"
    threshold: int = 3
    parser: str = MARKED
    votes: int = 1
    agreement: float = 0.5
    agent_text: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS or not 1 <= self.threshold <= 5:
            known = ", ".join(METHODS)
            raise ConfigError(
                f"judge.method={self.method} judge.threshold={self.threshold}: one of {known}, and 1 to 5"
            )
        check_parser(self.parser, CAPITALS if self.method == "webvoyager" else STATUS)
        check_votes(self.votes, self.agreement)
        check_images(self.images)
        self._asker  # noqa: B018  a mistake in the model's node is told when the judge is built

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self.model, self.llm)

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        everything = screenshots_of(trajectory)
        if not everything.shots:
            return nothing_to_see(trajectory)
        hearing = Hearing(self._asker, f"task {task.task_id}")
        if self.method not in SCORED:
            last = everything.only(everything.numbers[-1:])
            shown = everything.within(self.images) if self.method == "webvoyager" else last
            return self._verdict(hearing, task, trajectory, shown, "", ())
        try:
            points = self._key_points(hearing, task)
        except Abstained as abstained:
            return verdict_of_opinions([Opinion(None, str(abstained), "")], self.agreement, everything, hearing)
        notes = self._notes(hearing, task, points, everything)
        wanted = [note.number for note in notes if note.score is None or note.score >= self.threshold]
        shown = everything.only(wanted or everything.numbers[-1:]).within(self.images)
        return self._verdict(hearing, task, trajectory, shown, points, notes)

    def _key_points(self, hearing: Hearing, task: Task) -> str:
        frame = Frame.around("webjudge.key_points", (task.intent,))
        question = filled(self.prompts, "key_points", fence=frame.fence, task=frame.block("task", task.intent))
        reply = hearing.ask(Ask("key_points", user_message(question, self._form("key_points", frame))))
        if self.parser != MARKED:
            return _listed_points(reply)
        points = marked_object(reply.text, frame.mark, reply.finish_reason).get("key_points")
        if not isinstance(points, list) or not points or not all(isinstance(point, str) for point in points):
            raise Abstained("parse_failure", f"key points {points!r} are no list of texts")
        return "\n".join(f"{number}. {point}" for number, point in enumerate(points, 1))

    def _notes(self, hearing: Hearing, task: Task, points: str, everything: Screenshots) -> list[Note]:
        frames = [
            Frame.around("webjudge.screenshot", (task.intent, points), [shot.picture]) for shot in everything.shots
        ]
        asks = [
            Ask(f"screenshot {shot.number}", self._screenshot_question(task, points, shot, frame))
            for shot, frame in zip(everything.shots, frames, strict=True)
        ]
        replies = hearing.ask_all(asks)
        return [
            self._note(shot.number, reply, frame)
            for shot, reply, frame in zip(everything.shots, replies, frames, strict=True)
        ]

    def _screenshot_question(self, task: Task, points: str, shot: Shot, frame: Frame) -> list[dict[str, Any]]:
        blocks = {"task": frame.block("task", task.intent), "key_points": frame.block("key points", points)}
        question = filled(self.prompts, "screenshot", fence=frame.fence, **blocks)
        return user_message(question, labelled(Screenshots((shot,))), self._form("screenshot", frame))

    def _note(self, number: int, reply: Reply, frame: Frame) -> Note:
        if self.parser != MARKED:
            thought = reply.text.split("**Reasoning**:")[-1].strip().split("\n\n")[0].strip()
            published = screenshot_score(reply.text, SCORED[self.method])
            return Note(number, strict_screenshot_score(reply.text) if self.parser == STRICT else published, thought)
        try:
            said = marked_object(reply.text, frame.mark, reply.finish_reason)
        except Abstained as abstained:
            return Note(number, None, str(abstained))
        score = said.get("score")
        return Note(number, score if type(score) is int and 1 <= score <= 5 else None, str(said.get("reason") or ""))

    def _verdict(
        self,
        hearing: Hearing,
        task: Task,
        trajectory: Trajectory,
        shown: Screenshots,
        points: str,
        notes: Sequence[Note],
    ) -> Verdict:
        blocks = {
            "task": task.intent,
            "key points": points,
            "actions": self._actions(trajectory),
            "notes": "\n".join(
                f"Screenshot {note.number}: {note.text}" for note in notes if note.number in shown.numbers
            ),
            "answer": self._answer(trajectory) if self.method in ANSWERED else "",
        }
        frame = Frame.around(f"webjudge.{self.method}", tuple(blocks.values()), shown.pictures)
        fenced = {label.replace(" ", "_"): frame.block(label, text) for label, text in blocks.items()}
        question = filled(self.prompts, self.method, fence=frame.fence, **fenced)
        messages = user_message(question, labelled(shown), self._form("answer", frame))
        form = verdict_form(frame, shown) if self.parser == MARKED else None
        drawn = draw(
            self.votes,
            lambda vote: opinion_of(hearing.ask(Ask("verdict", messages, vote, form)), self.parser, frame, shown),
        )
        return verdict_of_opinions(drawn, self.agreement, shown, hearing, self._records(notes, shown, points))

    def _answer(self, trajectory: Trajectory) -> str:
        return trajectory.answer.final_answer if self.agent_text else WITHHELD

    def _actions(self, trajectory: Trajectory) -> str:
        lines = []
        for number, step in enumerate(trajectory.steps, 1):
            shown = json.dumps(arguments_shown(step, agent_text=self.agent_text))
            why = f" Reason: {step.thoughts}" if self.agent_text and self.method in REASONED and step.thoughts else ""
            lines.append(f"{number}. {shown}{why}")
        return "\n".join(lines)

    def _records(self, notes: Sequence[Note], shown: Screenshots, points: str) -> list[Assertion]:
        """What upstream throws away: the key points, and every screenshot's score with its reason."""
        kept = [Assertion("key_points", True, actual=points)] if points else []
        return kept + [
            Assertion(
                f"screenshot.{note.number}", note.number in shown.numbers, self.threshold, note.score, reason=note.text
            )
            for note in notes
        ]

    def _form(self, question: str, frame: Frame) -> str:
        """How the answer is to be given: marked, or in the words that the legacy parsers know."""
        if self.parser == MARKED:
            return filled(self.prompts, question if question == "answer" else f"{question}_answer", mark=frame.mark)
        return filled(self.prompts, f"{question}_words{WORDS.get((question, self.method), '')}")


def _listed_points(reply: Reply) -> str:
    """The text after the last heading, as WebJudge cuts it out; all of it where there is none."""
    text = reply.text.replace("\n\n", "\n")
    if not text.strip() or reply.finish_reason == "length":
        raise Abstained(category_of(text, reply.finish_reason), "no key points")
    for heading in ("**Key Points**:", "Key Points:"):
        if heading in text:
            text = text.split(heading)[-1]
            break
    return "\n".join(line.lstrip() for line in text.strip().splitlines())
