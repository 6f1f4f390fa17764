"""The judge `webvoyager`: one question about the last screenshots and the answer, after WebVoyager and webeval.

As there: one user message, the last screenshots (30 in webeval, 15 or 1 in WebVoyager), the answer believed where no
screenshot contradicts it. Otherwise than there: the number told is that of the screenshots shown, text of others is
fenced in, and the verdict carries a mark; the words of the originals are read with `parser=fara_webvoyager`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webassay.config.prompts import filled
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Verdict
from webassay.judges.framing import Frame
from webassay.judges.opinions import (
    MARKED,
    STRICT,
    WITHHELD,
    check_parser,
    nothing_to_see,
    opinion_of,
    user_message,
    verdict_form,
    verdict_of_opinions,
)
from webassay.judges.shown import Screenshots, check_images, labelled, screenshots_of
from webassay.judges.voting import check_votes, draw
from webassay.llm.asking import Ask, Asker, Hearing

VERSION = 2
PARSERS = (STRICT, "webvoyager_orig", "fara_webvoyager", "notte_webvoyager")


@dataclass(frozen=True)
class WebVoyager:
    model: Mapping[str, Any]
    prompts: str
    images: Mapping[str, Any]
    llm: Mapping[str, Any]
    parser: str = MARKED
    votes: int = 1
    agreement: float = 0.5
    agent_text: bool = True

    def __post_init__(self) -> None:
        check_parser(self.parser, PARSERS)
        check_votes(self.votes, self.agreement)
        check_images(self.images)
        self._asker  # noqa: B018  a mistake in the model's node is told when the judge is built

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self.model, self.llm)

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        shown = screenshots_of(trajectory).within(self.images)
        if not shown.shots:
            return nothing_to_see(trajectory)
        hearing = Hearing(self._asker, f"task {task.task_id}")
        frame, messages = self._question(task, trajectory, shown)
        form = verdict_form(frame, shown) if self.parser == MARKED else None
        drawn = draw(
            self.votes,
            lambda vote: opinion_of(hearing.ask(Ask("verdict", messages, vote, form)), self.parser, frame, shown),
        )
        return verdict_of_opinions(drawn, self.agreement, shown, hearing)

    def _question(self, task: Task, trajectory: Trajectory, shown: Screenshots) -> tuple[Frame, list[dict[str, Any]]]:
        answer = trajectory.answer.final_answer if self.agent_text else WITHHELD
        frame = Frame.around("webvoyager", (task.intent, answer), shown.pictures)
        question = filled(
            self.prompts,
            "verdict",
            count=len(shown.shots),
            fence=frame.fence,
            task=frame.block("task", task.intent),
            answer=frame.block("answer", answer),
        )
        form = filled(self.prompts, "answer" if self.parser == MARKED else "answer_words", mark=frame.mark)
        return frame, user_message(question, labelled(shown), form)
