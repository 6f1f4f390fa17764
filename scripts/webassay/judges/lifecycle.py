"""From a settled trajectory to a row of scores: one set of rules for every judge and every way in.

scored: the judge reached a verdict. auto_zero: the run ended in a way that needs no judge (its reason says which),
written as a score. ungraded: nobody could judge it (aborted, or the judge failed); no score is written and it is
never 0.
"""

import time
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from webassay.core.digest import code_provenance
from webassay.core.files import UNREADABLE, write_json
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Verdict
from webassay.errors import TrajectoryError, WebassayError

JUDGE_ERROR = "judge_error:"
Verification = Literal["scored", "auto_zero", "ungraded"]


class Judge(Protocol):
    """One interface for all judges; they see the trajectory on disk and nothing else."""

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict: ...


class Judgement(msgspec.Struct, frozen=True):
    """A row of scores.csv, before the columns that say which run it belongs to."""

    task_id: str
    template: str
    sites: str
    execution: str
    """answered, over_budget, aborted, or unreadable."""
    verification: Verification
    reason: str
    score: float | None
    parse_failure: bool = False
    task_digest: str = ""
    """Of the task as it was judged: a mended answer gives another."""


class Sidecar(msgspec.Struct, frozen=True):
    """`scores/<eval_hash>.meta.json`: what the verdict is about and how it came to be."""

    task_digest: str
    attempt: int
    judge: dict[str, Any]
    judgement: Judgement
    assertions: tuple[Assertion, ...] = ()
    attribution: str | None = None
    judged_at: float = 0.0
    version: str = ""
    """Of webassay, with the commit of its checkout."""


def judge_folder(task: Task, folder: Path, judge: Judge, eval_hash: str, judge_config: dict[str, Any]) -> Judgement:
    """The judgement on disk if it is of this task, attempt and judge; otherwise a new one, written there."""
    try:
        trajectory = Trajectory.from_folder(folder)
    except TrajectoryError as error:
        return _row(task, "unreadable", "ungraded", str(error), None)
    if trajectory.attempt and trajectory.attempt.task_digest != task.execution_digest:
        return _row(task, "unreadable", "ungraded", f"{folder}: of another wording of the task", None)
    attempt = trajectory.attempt.attempt if trajectory.attempt else 0
    kept = read_sidecar(folder, eval_hash)
    if kept and kept.task_digest == task.digest and kept.attempt == attempt and _is_final(kept.judgement):
        return kept.judgement
    judgement, verdict = _judge(task, trajectory, judge)
    sidecar = Sidecar(
        task.digest,
        attempt,
        judge_config,
        judgement,
        verdict.assertions if verdict else (),
        verdict.attribution if verdict else None,
        time.time(),
        code_provenance(),
    )
    if kept and kept.task_digest != task.digest:
        _set_aside(folder / "scores", eval_hash, kept)
    _write(folder, eval_hash, sidecar)
    return judgement


def read_sidecar(folder: Path, eval_hash: str) -> Sidecar | None:
    """None when there is none, or when it or the score beside it was cut short: then the judge is asked again."""
    scores = folder / "scores"
    try:
        sidecar = msgspec.json.decode((scores / f"{eval_hash}.meta.json").read_bytes(), type=Sidecar)
        if sidecar.judgement.score is not None:
            msgspec.json.decode((scores / f"{eval_hash}.json").read_bytes())
        return sidecar
    except (FileNotFoundError, *UNREADABLE):
        return None


def _set_aside(scores: Path, eval_hash: str, kept: Sidecar) -> None:
    """A verdict about another expected answer stays, under that task's digest."""
    aside = scores / "superseded" / kept.task_digest[:16]
    aside.mkdir(parents=True, exist_ok=True)
    for path in scores.glob(f"{eval_hash}.*json"):
        path.rename(aside / path.name)


def _is_final(judgement: Judgement) -> bool:
    """A judge's failure may be passing and a file may be mended, so these are tried again each time."""
    return judgement.execution != "unreadable" and not judgement.reason.startswith(JUDGE_ERROR)


def _judge(task: Task, trajectory: Trajectory, judge: Judge) -> tuple[Judgement, Verdict | None]:
    if trajectory.outcome == "aborted":
        reason = trajectory.attempt.reason if trajectory.attempt else "aborted"
        return _row(task, "aborted", "ungraded", f"aborted: {reason}", None), None
    if zero := _auto_zero(trajectory):
        return _row(task, trajectory.outcome, "auto_zero", zero, 0.0), None
    try:
        verdict = judge.judge(task, trajectory)
    except TrajectoryError as error:
        return _row(task, "unreadable", "ungraded", str(error), None), None
    except Exception as error:  # whatever went wrong in a judge, it is not the agent's failure and not the others'
        said = str(error) if isinstance(error, WebassayError) else repr(error)
        return _row(task, trajectory.outcome, "ungraded", f"{JUDGE_ERROR} {said}", None), None
    verification: Verification = "ungraded" if verdict.score is None else "scored"
    row = _row(task, trajectory.outcome, verification, verdict.reason, verdict.score, verdict.parse_failure)
    return row, verdict


def _auto_zero(trajectory: Trajectory) -> str | None:
    if not trajectory.steps:
        return "no actions"
    if trajectory.outcome == "over_budget":
        reason = trajectory.attempt.reason if trajectory.attempt else ""
        return f"no answer: {reason}" if reason else "over budget: no answer"
    if trajectory.last_action != "terminate":
        return 'the last action must be "terminate"'
    return None


def _row(
    task: Task,
    execution: str,
    verification: Verification,
    reason: str,
    score: float | None,
    parse_failure: bool = False,
) -> Judgement:
    one_line = " ".join(reason.split())[:500]
    return Judgement(
        task.task_id,
        task.template,
        "+".join(task.sites),
        execution,
        verification,
        one_line,
        score,
        parse_failure,
        task.digest[:16],
    )


def _write(folder: Path, eval_hash: str, sidecar: Sidecar) -> None:
    """webeval's two-key score file first, the sidecar that vouches for it second."""
    row, path = sidecar.judgement, folder / "scores" / f"{eval_hash}.json"
    if row.score is None:
        path.unlink(missing_ok=True)
    else:
        write_json(path, {"score": row.score, "gpt_response_text": row.reason or None})
    write_json(folder / "scores" / f"{eval_hash}.meta.json", sidecar)
