"""From a trajectory to its judgement: one set of rules for every judge and every way in.

scored: the judge reached a verdict. auto_zero: the run ended in a way that needs no judge (its reason says which),
written as a score. ungraded: nobody could judge it (aborted, or the judge failed); no score is written and it is
never 0.

A judgement stands as long as it is of this judge, this task and this evidence; any other under the same name is moved
to `superseded/`, so that a file name never means two things.
"""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from webassay.core.answer import Usage
from webassay.core.digest import code_provenance, digest, file_digest
from webassay.core.files import UNREADABLE, write_bytes, write_json
from webassay.core.processes import exclusive_folder
from webassay.core.screenshots import unseen
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory, evidence_digest
from webassay.core.verdict import Assertion, Verdict
from webassay.errors import TrajectoryError, WebassayError

JUDGE_ERROR = "judge_error:"
TOLD = ("assertions", "attribution", "replies", "usage")
"""What a sidecar takes over from the verdict."""
NO_ACTIONS = "no actions"
Verification = Literal["scored", "auto_zero", "ungraded"]


class Judge(Protocol):
    """One interface for all judges; they see the trajectory on disk and nothing else."""

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict: ...


@dataclass(frozen=True)
class Court:
    """A judge under its identity."""

    judge: Judge
    eval_hash: str
    config: dict[str, Any]
    redo: bool = False
    """Judge anew what stands already."""
    environments: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Where the sites were, of trajectories that do not say."""


@dataclass(frozen=True)
class Case:
    """A trajectory, the task that it is about, and where the scores go."""

    task: Task
    folder: Path
    scores: Path


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
    steps: int | None = None
    """Actions of the agent; None where nobody can read them."""
    parse_failure: bool = False
    task_digest: str = ""
    """Of the task as it was judged: a mended answer gives another."""


class Sidecar(msgspec.Struct, frozen=True):
    """`scores/<eval_hash>.meta.json`: what the verdict is about and how it came to be."""

    task_digest: str
    evidence: str
    """Of the files that were judged."""
    judge: dict[str, Any]
    judgement: Judgement
    assertions: tuple[Assertion, ...] = ()
    attribution: str | None = None
    replies: tuple[str, ...] = ()
    usage: dict[str, Usage] = {}
    unseen: tuple[str, ...] = ()
    """Screenshots of the run that are missing, or no pictures."""
    trajectory: str = ""
    """Where it lay, of scores that are kept elsewhere."""
    judged_at: float = 0.0
    version: str = ""
    """Of webassay, with the commit of its checkout."""


def judge_case(case: Case, court: Court) -> tuple[Judgement, bool]:
    """The judgement, and whether it stood already; a new one is written beside the others.

    Of two that judge the same trajectory at once, the second waits and finds the verdict of the first.
    """
    try:
        evidence = evidence_digest(case.folder)
        trajectory = Trajectory.from_folder(case.folder)
    except TrajectoryError as error:
        return _row(case.task, None, "unreadable", "ungraded", str(error), None), False
    if trajectory.attempt and trajectory.attempt.task_digest != case.task.execution_digest:
        reason = f"{case.folder}: of another wording of the task"
        return _row(case.task, trajectory, "unreadable", "ungraded", reason, None), False
    if not court.redo and (kept := _standing(case, court, evidence)):
        return kept, True
    make_scores_folder(case.scores)
    with exclusive_folder(case.scores):
        if not court.redo and (kept := _standing(case, court, evidence)):
            return kept, True
        return _judge_and_write(case, court, trajectory, evidence), False


def make_scores_folder(scores: Path) -> None:
    try:
        scores.mkdir(parents=True, exist_ok=True)
        writable = os.access(scores, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise WebassayError(f"{scores}: no scores can be written there; --scores-dir DIR puts them elsewhere")


def _standing(case: Case, court: Court, evidence: str) -> Judgement | None:
    kept = read_sidecar(case.scores, court.eval_hash)
    same = kept and kept.task_digest == case.task.digest and kept.evidence == evidence
    return kept.judgement if kept and same and _is_final(kept.judgement) else None


def _judge_and_write(case: Case, court: Court, trajectory: Trajectory, evidence: str) -> Judgement:
    if trajectory.attempt is None:
        trajectory = msgspec.structs.replace(trajectory, elsewhere=court.environments)
    judgement, verdict = _judge(case.task, trajectory, court.judge)
    told: dict[str, Any] = {name: getattr(verdict, name) for name in TOLD} if verdict else {}
    told["unseen"] = unseen(trajectory.screenshots)
    told |= {"judged_at": time.time(), "version": code_provenance()}
    if case.scores.parent != case.folder:
        told["trajectory"] = os.path.abspath(case.folder)
    sidecar = Sidecar(case.task.digest, evidence, court.config, judgement, **told)
    _set_aside(case.scores, court.eval_hash)
    _write(case.scores, court.eval_hash, sidecar, verdict.payload if verdict else None)
    return judgement


def read_sidecar(scores: Path, eval_hash: str) -> Sidecar | None:
    """None when there is none, or when it or the score beside it was cut short: then the judge is asked again."""
    try:
        sidecar = msgspec.json.decode((scores / f"{eval_hash}.meta.json").read_bytes(), type=Sidecar)
        if sidecar.judgement.score is not None:
            msgspec.json.decode((scores / f"{eval_hash}.json").read_bytes())
        return sidecar
    except (OSError, *UNREADABLE):
        return None


def _set_aside(scores: Path, eval_hash: str) -> None:
    """What stood under this name, about another task or other evidence or cut short, stays under one of its own.

    Copies first: whenever this is broken off, nothing is lost, and no sidecar vouches for a score that is not its own.
    """
    sidecar = scores / f"{eval_hash}.meta.json"
    found = [path for path in (sidecar, scores / f"{eval_hash}.json") if path.is_file()]
    kept = read_sidecar(scores, eval_hash)
    if found == [sidecar] and kept and not _is_final(kept.judgement):
        return  # a judge that failed has said nothing
    aside = scores / "superseded" / digest([file_digest(path) for path in found])[:16]
    for path in found:
        write_bytes(aside / path.name, path.read_bytes())
    sidecar.unlink(missing_ok=True)


def _is_final(judgement: Judgement) -> bool:
    """A judge's failure may be passing and a file may be mended, so these are tried again each time."""
    return judgement.execution != "unreadable" and not judgement.reason.startswith(JUDGE_ERROR)


def _judge(task: Task, trajectory: Trajectory, judge: Judge) -> tuple[Judgement, Verdict | None]:
    if trajectory.outcome == "aborted":
        reason = trajectory.attempt.reason if trajectory.attempt else ""
        return _row(task, trajectory, "aborted", "ungraded", f"aborted: {reason}" if reason else "aborted", None), None
    if zero := _auto_zero(trajectory):
        return _row(task, trajectory, trajectory.outcome, "auto_zero", zero, 0.0), None
    try:
        verdict = judge.judge(task, trajectory)
    except TrajectoryError as error:
        return _row(task, trajectory, "unreadable", "ungraded", str(error), None), None
    except Exception as error:  # whatever went wrong in a judge, it is not the agent's failure and not the others'
        said = str(error) if isinstance(error, WebassayError) else repr(error)
        return _row(task, trajectory, trajectory.outcome, "ungraded", f"{JUDGE_ERROR} {said}", None), None
    verification: Verification = "ungraded" if verdict.score is None else "scored"
    row = _row(task, trajectory, trajectory.outcome, verification, verdict.reason, verdict.score)
    return msgspec.structs.replace(row, parse_failure=verdict.parse_failure), verdict


def needs_attention(row: Judgement) -> bool:
    """Judged by nobody although there is something to judge; a verdict that none can be reached is one."""
    return row.execution == "unreadable" or row.reason.startswith(JUDGE_ERROR)


def _auto_zero(trajectory: Trajectory) -> str | None:
    if not trajectory.steps:
        return NO_ACTIONS
    if trajectory.outcome == "over_budget":
        reason = trajectory.attempt.reason if trajectory.attempt else ""
        return f"no answer: {reason}" if reason else "over budget: no answer"
    if trajectory.last_action != "terminate":
        return 'the last action must be "terminate"'
    return None


def _row(
    task: Task,
    trajectory: Trajectory | None,
    execution: str,
    verification: Verification,
    reason: str,
    score: float | None,
) -> Judgement:
    return Judgement(
        task.task_id,
        task.template,
        "+".join(task.sites),
        execution,
        verification,
        " ".join(reason.split())[:500],
        score,
        len(trajectory.steps) if trajectory else None,
        task_digest=task.digest[:16],
    )


def _write(scores: Path, eval_hash: str, sidecar: Sidecar, payload: str | None) -> None:
    """webeval's two-key score file first, the sidecar that vouches for it second."""
    row, path = sidecar.judgement, scores / f"{eval_hash}.json"
    if row.score is None:
        path.unlink(missing_ok=True)
    else:
        write_json(path, {"score": row.score, "gpt_response_text": payload or row.reason or None})
    write_json(scores / f"{eval_hash}.meta.json", sidecar)
