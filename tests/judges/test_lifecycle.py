"""Which trajectories are judged, which are 0 without a judge, which are nobody's 0."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from webassay.core.task import Task
from webassay.core.trajectory import NO_ANSWER, Attempt, EventLog, FinalAnswer, Trajectory, write_end
from webassay.core.verdict import Verdict
from webassay.errors import JudgeError, TrajectoryError
from webassay.judges.lifecycle import Case, Court, Judgement, judge_case

TASK = Task("t", "Do it.", ("shop",), "template", ())


class Scripted:
    """A judge that says or raises what it is told, and counts how often it is asked."""

    def __init__(self, *answers: Verdict | Exception) -> None:
        self.answers, self.asked = list(answers), 0

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


PASS, FAIL = Verdict(1.0, "success"), Verdict(0.0, "failure", "wrong value")
NOBODY = Verdict(None, "error", "the site was not in its seeded state", attribution="harness")


def write(folder: Path, answer: str = "x", last: str = "terminate", aborted: bool = False, steps: int = 1) -> Path:
    log = EventLog(folder)
    for _ in range(steps):
        log.write(message="", url="", action=last, arguments={"action": last})
    log.close()
    record = Attempt("t", TASK.execution_digest, 0, "answered", "the browser died" if aborted else "")
    write_end(folder, FinalAnswer(answer, is_aborted=aborted), record, 0, 0)
    return folder


def judged(folder: Path, judge: Scripted, task: Task = TASK, *, redo: bool = False) -> Judgement:
    court = Court(judge, "scripted-1", {"name": "scripted"}, redo)
    return judge_case(Case(task, folder, folder / "scores"), court)[0]


@pytest.mark.parametrize("verdict, score", [(PASS, 1.0), (FAIL, 0.0)])
def test_a_verdict_is_a_score_and_is_asked_for_once(tmp_path: Path, verdict: Verdict, score: float) -> None:
    judge = Scripted(verdict)
    assert judged(write(tmp_path), judge) == judged(tmp_path, judge)
    row = judged(tmp_path, judge)
    assert (row.verification, row.score, row.reason, judge.asked) == ("scored", score, verdict.reason, 1)


@pytest.mark.parametrize(
    "trajectory, reason",
    [
        ({"steps": 0}, "no actions"),
        ({"last": "left_click"}, 'the last action must be "terminate"'),
        ({"answer": NO_ANSWER}, "over budget: no answer"),
    ],
)
def test_an_unfinished_run_is_zero_without_a_judge(tmp_path: Path, trajectory: dict[str, object], reason: str) -> None:
    judge = Scripted()
    row = judged(write(tmp_path, **trajectory), judge)  # type: ignore[arg-type]
    assert (row.verification, row.score, row.reason, judge.asked) == ("auto_zero", 0.0, reason, 0)
    assert (tmp_path / "scores" / "scripted-1.json").is_file()


@pytest.mark.parametrize(
    "answer, execution, reason",
    [
        (JudgeError("no key"), "answered", "judge_error: no key"),
        (KeyError("x"), "answered", "judge_error: KeyError('x')"),
        (TrajectoryError("no network.har"), "unreadable", "no network.har"),
        (NOBODY, "answered", NOBODY.reason),
    ],
)
def test_no_verdict_is_never_zero(tmp_path: Path, answer: Verdict | Exception, execution: str, reason: str) -> None:
    row = judged(write(tmp_path), Scripted(answer))
    assert (row.execution, row.verification, row.score, row.reason) == (execution, "ungraded", None, reason)
    assert not (tmp_path / "scores" / "scripted-1.json").exists()


@pytest.mark.parametrize("failure", [JudgeError("busy"), TrajectoryError("no network.har")])
def test_what_may_be_mended_is_judged_again(tmp_path: Path, failure: Exception) -> None:
    judge = Scripted(failure, PASS)
    judged(write(tmp_path), judge)
    assert judged(tmp_path, judge).score == 1.0


def test_an_abort_is_nobodys_failure(tmp_path: Path) -> None:
    row = judged(write(tmp_path, NO_ANSWER, aborted=True), Scripted())
    assert (row.verification, row.score, row.reason) == ("ungraded", None, "aborted: the browser died")


def test_a_mended_answer_is_judged_again(tmp_path: Path) -> None:
    judge = Scripted(FAIL, PASS)
    judged(write(tmp_path), judge)
    mended = Task("t", "Do it.", ("shop",), "template", ({"evaluator": "another"},))
    assert judged(tmp_path, judge, mended).score == 1.0
    (kept,) = (tmp_path / "scores" / "superseded").iterdir()
    assert sorted(path.name for path in kept.iterdir()) == ["scripted-1.json", "scripted-1.meta.json"]


def test_another_answer_in_the_same_folder_is_judged_again(tmp_path: Path) -> None:
    judge = Scripted(FAIL, PASS)
    judged(write(tmp_path), judge)
    judged(write(tmp_path, "another"), judge)
    assert judge.asked == 2 and len(list((tmp_path / "scores" / "superseded").iterdir())) == 1


def test_redo_asks_again_and_keeps_the_old_verdict(tmp_path: Path) -> None:
    judge = Scripted(FAIL, PASS)
    judged(write(tmp_path), judge)
    assert judged(tmp_path, judge, redo=True).score == 1.0 and judged(tmp_path, judge).score == 1.0
    (kept,) = (tmp_path / "scores" / "superseded").iterdir()
    assert json.loads((kept / "scripted-1.json").read_text())["score"] == 0.0


def test_two_at_once_ask_the_judge_once(tmp_path: Path) -> None:
    class Slow(Scripted):
        def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
            time.sleep(0.2)
            return super().judge(task, trajectory)

    judge = Slow(PASS)
    write(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        rows = set(pool.map(lambda _: judged(tmp_path, judge), range(4)))
    assert len(rows) == 1 and judge.asked == 1


def test_steps_are_counted(tmp_path: Path) -> None:
    assert judged(write(tmp_path, steps=3), Scripted(PASS)).steps == 3


def test_a_payload_is_what_webeval_reads(tmp_path: Path) -> None:
    judged(write(tmp_path), Scripted(Verdict(0.0, "failure", "no", payload='{"is_success": 0}')))
    score = json.loads((tmp_path / "scores" / "scripted-1.json").read_text())
    assert score == {"score": 0.0, "gpt_response_text": '{"is_success": 0}'}


def test_evidence_of_another_wording_is_not_judged(tmp_path: Path) -> None:
    row = judged(write(tmp_path), Scripted(), Task("t", "Do it now.", ("shop",), "template", ()))
    assert (row.execution, row.score) == ("unreadable", None)


@pytest.mark.parametrize("file", ["scripted-1.json", "scripted-1.meta.json"])
def test_a_truncated_score_is_noticed_and_judged_again(tmp_path: Path, file: str) -> None:
    judge = Scripted(FAIL, PASS)
    judged(write(tmp_path), judge)
    (tmp_path / "scores" / file).write_text('{"sco')
    before = {path.name: path.read_text() for path in (tmp_path / "scores").iterdir()}
    assert judged(tmp_path, judge).score == 1.0
    (kept,) = (tmp_path / "scores" / "superseded").iterdir()
    assert {path.name: path.read_text() for path in kept.iterdir()} == before


@pytest.mark.parametrize("content", ["{", '{"task_digest": "of another version", "evidence": 1}', None])
def test_a_verdict_whose_sidecar_nobody_can_read_is_kept_when_the_next_one_has_no_score(
    tmp_path: Path, content: str | None
) -> None:
    judged(write(tmp_path), Scripted(PASS))
    sidecar = tmp_path / "scores" / "scripted-1.meta.json"
    sidecar.write_text(content) if content else sidecar.unlink()
    judged(tmp_path, Scripted(NOBODY))
    assert not (tmp_path / "scores" / "scripted-1.json").exists()
    (kept,) = (tmp_path / "scores" / "superseded").glob("*/scripted-1.json")
    assert json.loads(kept.read_text())["score"] == 1.0


def test_a_judge_that_failed_leaves_nothing_to_keep(tmp_path: Path) -> None:
    judged(write(tmp_path), Scripted(JudgeError("busy")))
    judged(tmp_path, Scripted(PASS))
    assert not (tmp_path / "scores" / "superseded").exists()
