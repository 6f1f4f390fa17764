"""The injection suite against every judge: what others wrote never leaves its fence, and no mark ever gets into one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.judges.asked import MARK, texts
from tests.judges.health.judged import any_form, inside_and_outside, stammering
from tests.judges.rubric.verifier import judge as rubric
from tests.judges.rubric.verifier import task as rubric_task
from tests.judges.test_webjudge import judge as webjudge
from tests.judges.test_webvoyager import judge as webvoyager
from tests.llm.scripted import Said, scripted
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.judges.health.attacks import CANARY, PLACES, WORDINGS, attacks
from webassay.judges.health.claims import Claim
from webassay.judges.health.made import made
from webassay.judges.webjudge import METHODS

ALL_WORDINGS = "\n".join(WORDINGS.values())
JUDGES: dict[str, Callable[..., Any]] = {
    "webvoyager": webvoyager,
    **{f"webjudge {method}": lambda *given, method=method: webjudge(*given, method=method) for method in METHODS},
    "rubric": rubric,
    "refusal": rubric,
}
SHOWN = {
    "webvoyager": {"answer", "task"},
    "webjudge online_mind2web": {"page text", "alt text", "task"},
    "webjudge general": {"page text", "thought", "alt text", "task"},
    "webjudge autonomous": {"page text", "answer", "alt text", "task"},
    "webjudge agenttrek": {"page text", "thought", "alt text", "task"},
    "webjudge webvoyager": {"answer", "task"},
    "rubric": {"page text", "answer", "alt text", "task"},
    "refusal": {"page text", "answer", "alt text", "task"},
}
"""Where words reach the judge's questions."""


def attacked(
    folder: Path, judge: str, place: str, how: Callable[[dict[str, Any]], Said] | None = None
) -> list[dict[str, Any]]:
    """Everything that is asked about one run with all wordings at one place."""
    found = next(attack for attack in attacks() if attack.place == place and attack.wording == "order")
    case = made(_with_all_wordings(found.claim), folder / "run")
    task = Task(case.task.task_id, case.task.intent, ("shop",), "t", rubric_task(None, refusal=judge == "refusal").eval)
    with scripted(how or any_form()) as server:
        verdict = JUDGES[judge](folder, server.url).judge(task, Trajectory.from_folder(case.folder))
    assert verdict.score in (0.0, 1.0), verdict.reason
    return server.requests


def _with_all_wordings(claim: Claim) -> Claim:
    """In place of the one that it has."""
    record = json.dumps(msgspec.to_builtins(claim)).replace(
        json.dumps(WORDINGS["order"])[1:-1], json.dumps(ALL_WORDINGS)[1:-1]
    )
    return msgspec.json.decode(record, type=Claim)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("judge", JUDGES)
def test_text_stays_in_its_fence_and_no_mark_gets_into_one(tmp_path: Path, judge: str, place: str) -> None:
    requests = attacked(tmp_path, judge, place)
    marks = [MARK.findall(texts(request))[-1] for request in requests]
    assert len(set(marks)) == len(marks), "a mark answers one question only"
    seen = False
    for request, mark in zip(requests, marks, strict=True):
        inside, outside = inside_and_outside(request)
        assert inside and CANARY not in outside and mark in outside
        assert not any(other in part for other in marks for part in inside)
        seen = seen or any(CANARY in part for part in inside)
    assert seen == (place in SHOWN[judge])


@pytest.mark.parametrize("judge", ["rubric", "refusal"])
def test_what_a_first_answer_repeats_stays_in_a_fence_when_it_is_asked_again(tmp_path: Path, judge: str) -> None:
    how, repeated = stammering()
    requests = attacked(tmp_path, judge, "answer", how)
    assert repeated and len(requests) > len(repeated)
    for request in requests:
        inside, outside = inside_and_outside(request)
        assert CANARY not in outside and {message["role"] for message in request["messages"]} == {"user"}
        assert not any(mark in part for mark in MARK.findall(outside) for part in inside)
    assert any("what is wrong" in texts(request) for request in requests)
