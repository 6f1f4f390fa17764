"""What is kept of a trajectory, in webassay's shape and in webeval's own."""

from pathlib import Path
from typing import Any

import pytest

from tests.report.analysis.folders import Step, fara, gpt_solver, line, make, step
from webassay.core.answer import Usage
from webassay.report.analysis.places import Place
from webassay.report.analysis.record import Record, read_record


def record(folder: Path, judge: str | None = None) -> Record:
    return read_record(Place(folder, "run", 30, None if judge is None else frozenset([judge])))


OURS = [step(0, "visit_url"), step(4, "left_click"), step(6, "terminate", answer="42")]


def test_our_own(tmp_path: Path) -> None:
    usage = {"Agent": {"prompt_tokens": 5, "completion_tokens": 2}}
    found = record(make(tmp_path / "t", OURS, usage=usage, seconds=8.5, scores={"j": 1.0}, attempt=0))
    assert (found.outcome, found.steps, found.attempts, found.seconds) == ("answered", 3, 1, 8.5)
    assert found.rounds == 2  # the runner's own last step uses none
    assert (found.clock.seconds, found.clock.gaps, found.clock.between) == (6.0, 2, 3.0)
    assert found.clock.started == "2026-03-01T10:00:00.000000" and found.clock.ended.endswith("06.000000")
    assert found.usage == {"Agent": Usage(5, 2)} and found.scores == {"j": 1.0}
    assert found.error is None and found.refusal is None and not found.no_answer


@pytest.mark.parametrize(
    "events, steps",
    [
        ([event for number, tool in enumerate(["web_search", "terminate"]) for event in fara(number + 1, tool)], 2),
        (gpt_solver(["input_text", "click", "pause_and_memorize_fact", "stop_and_answer_question"]), 4),
        ([event for event in fara(1, "left_click") if "action" not in event], 1),  # recovered from the text
        ([], 0),
    ],
)
def test_steps_of_webevals_shapes(tmp_path: Path, events: list[Step], steps: int) -> None:
    found = record(make(tmp_path / "Google Map--3", events))
    assert (found.steps, found.rounds, found.task_id) == (steps, steps, "Google Map--3")
    assert found.outcome == "answered" and found.seconds is None and found.usage == {}


@pytest.mark.parametrize(
    "made, outcome, reason",
    [
        ({"aborted": True, "attempt": 0, "reason": "the browser died"}, "aborted", "the browser died"),
        ({"answer": "<no_answer>", "attempt": 0, "reason": "OverBudget: more"}, "over_budget", "OverBudget: more"),
        ({"answer": "<no_answer>"}, "over_budget", ""),
        ({"answer": None}, "unreadable", "0 answer files"),
    ],
)
def test_outcomes(tmp_path: Path, made: dict[str, Any], outcome: str, reason: str) -> None:
    found = record(make(tmp_path / "t", OURS, **made))
    assert found.outcome == outcome and reason in found.reason
    assert found.steps == 3  # what is readable is known
    assert found.broken_off == (outcome in ("aborted", "unreadable")) and not found.completed


def test_a_line_that_cannot_be_read_makes_the_count_unknown(tmp_path: Path) -> None:
    folder = make(tmp_path / "t", OURS)
    with (folder / "web_surfer.log").open("a") as log:
        log.write('{"action": "left_cl')
    found = record(folder)
    assert found.outcome == "unreadable" and "line 4" in found.reason
    assert found.steps is None and found.rounds is None


@pytest.mark.parametrize("name", ["gone", "file"])
def test_a_folder_that_is_none_is_a_record_too(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    found = record(tmp_path / name)
    assert (found.outcome, found.task_id, found.steps) == ("unreadable", name, None) and name in found.reason


def test_earlier_attempts_and_their_errors(tmp_path: Path) -> None:
    folder = make(tmp_path / "t", OURS, attempt=2, core=line("ERROR", "over_budget: OverBudget: x"))
    for number in (0, 1):
        make(folder / "attempts" / str(number), aborted=True, core=line("ERROR", "aborted: the browser died"))
    found = record(folder)
    assert found.attempts == 3 and found.error == "over_budget: OverBudget"
    assert found.earlier_errors == ("aborted: the browser died",) * 2


def test_scores_are_those_of_the_judge_asked_for_and_none_is_made_up(tmp_path: Path) -> None:
    scores = {"j": 0, "k": 1, "nan": float("nan"), "word": "1", "none": None}
    folder = make(tmp_path / "t", OURS, scores=scores)
    (folder / "scores" / "cut.json").write_text('{"sco')
    assert record(folder).scores == {"j": 0.0, "k": 1.0}
    assert record(folder, "k").scores == {"k": 1.0} and record(folder, "z").scores == {}


@pytest.mark.parametrize(
    "counts, usage",
    [
        ({"prompt_tokens": 3, "completion_tokens": 1, "reasoning_tokens": 2, "num_calls": 4}, Usage(3, 1, 2, 4)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, Usage()),
        ({}, None),
        ({"prompt_tokens": None}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": 10**30}, None),
    ],
)
def test_tokens_that_nobody_counted_are_unknown(tmp_path: Path, counts: dict[str, Any], usage: Usage | None) -> None:
    assert record(make(tmp_path / "t", OURS, usage={"A": counts})).usage == ({} if usage is None else {"A": usage})


@pytest.mark.parametrize(
    "stamps, gaps, between",
    [
        (["2026-10-25T02:59:50", "2026-10-25T02:00:10", "2026-10-25T02:00:14"], 1, 4.0),  # the clock went back
        (["2026-01-01T00:00:00Z", "2026-01-01T01:00:05+01:00"], 1, 5.0),
        (["", "soon", "2026-01-01T00:00:00"], 0, None),
        (["2026-01-01T00:00:00"], 0, None),
    ],
)
def test_time_between_steps(tmp_path: Path, stamps: list[str], gaps: int, between: float | None) -> None:
    events = [step(0, "left_click") | {"timestamp": stamp} for stamp in stamps]
    clock = record(make(tmp_path / "t", events)).clock
    assert (clock.gaps, clock.between) == (gaps, between)


def test_a_session_is_as_long_as_times_json_says_or_unknown(tmp_path: Path) -> None:
    assert record(make(tmp_path / "a", OURS, seconds=float("nan"))).seconds is None
    assert record(make(tmp_path / "b", OURS, seconds=-3.0)).seconds is None
    assert record(make(tmp_path / "c", OURS, seconds=0.0)).seconds == 0.0


def test_an_answer_that_declines(tmp_path: Path) -> None:
    assert record(make(tmp_path / "a", OURS, "I can't help with that.")).refusal == "will not help"
    assert record(make(tmp_path / "b", OURS, "I can't help with that.", aborted=True)).refusal is None
    assert record(make(tmp_path / "c", OURS, "  ")).no_answer
