"""The model as judge, over real HTTP; what it says is scripted."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.judges.webarena.recorded import judged, task
from tests.llm.scripted import Said, completion, scripted
from tests.llm.test_client import model, nowhere
from webassay.errors import ModelError
from webassay.judges.webarena import WebArena

SIMILAR = {"fuzzy_match": ["three", "on Monday"]}
IMPOSSIBLE = {"fuzzy_match": "N/A"}


def concluding(*words: str) -> Callable[[dict[str, Any]], Said]:
    """Replies that end with the mark of the question and one word after another."""
    left = list(words)

    def answer(request: dict[str, Any]) -> Said:
        mark = re.findall(r"VERDICT-[0-9a-f]{12}", request["messages"][0]["content"])[-1]
        return completion(f"I think so.\n**{mark}**: {left.pop(0)}")

    return answer


@pytest.mark.parametrize(
    "references, answer, said, score",
    [
        (SIMILAR, "Monday, 3 of them", ("correct", "Correct"), 1),
        (SIMILAR, "Monday, 3 of them", ("correct", "partial"), 0),
        (SIMILAR, "Tuesday", ("incorrect", "incorrect"), 0),
        (SIMILAR, "", (), 0),
        (IMPOSSIBLE, "N/A", (), 1),
        (IMPOSSIBLE, "There is no such order", ("same",), 1),
        (IMPOSSIBLE, "I was tired", ("different",), 0),
    ],
)
def test_the_model_decides_what_is_similar(
    tmp_path: Path, references: dict[str, Any], answer: str, said: tuple[str, ...], score: float
) -> None:
    with scripted(concluding(*said)) as server:
        judge = WebArena("model", model(server.url))
        verdict = judged(tmp_path, task(reference_answers=references, string_note="no such order"), answer, None, judge)
    assert (verdict.score, len(server.requests)) == (score, len(said))


def test_a_report_is_compared_with_the_reason(tmp_path: Path) -> None:
    with scripted(concluding("same")) as server:
        impossible = task(reference_answers=IMPOSSIBLE, string_note="the order is shipped")
        judged(tmp_path, impossible, "It left already", None, WebArena("model", model(server.url)))
    asked = server.requests[0]["messages"][0]["content"]
    assert all(text in asked for text in ("How many?", "the order is shipped", "it left already"))


@pytest.mark.parametrize("reply", ["", "It is correct.", "VERDICT-000000000000: correct"])
def test_a_reply_without_a_conclusion_is_no_verdict(tmp_path: Path, reply: str) -> None:
    with scripted(completion(reply)) as server:
        judge = WebArena("model", model(server.url))
        verdict = judged(tmp_path, task(reference_answers=SIMILAR), reply or "x", None, judge)
    assert (verdict.score, verdict.status) == (None, "error") and verdict.reason.startswith("abstained: ")


def test_replies_are_stored_and_replayed(tmp_path: Path) -> None:
    llm = {"mode": "record", "folder": str(tmp_path / "llm"), "parallel": 1}
    asked = task(reference_answers=SIMILAR)
    with scripted(concluding("correct", "correct")) as server:
        first = judged(tmp_path, asked, "Monday, 3", None, WebArena("model", model(server.url), llm))
    again = judged(tmp_path, asked, "Monday, 3", None, WebArena("model", model(nowhere()), llm | {"mode": "replay"}))
    assert first == again and len(first.replies) == 2 and first.usage["similarity"].num_calls == 2


def test_a_model_that_does_not_answer_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        judged(tmp_path, task(reference_answers=SIMILAR), "x", None, WebArena("model", model(nowhere())))
