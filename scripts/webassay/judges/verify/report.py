"""`verify_report.jsonl`: a line for each trajectory, in the columns of webeval's own report, and after them ours."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import decode_lenient, write_bytes
from webassay.judges.lifecycle import JUDGE_ERROR, NO_ACTIONS, Case, Court, Judgement

TAXONOMY = ("has_failure", "first_failure_step", "is_ambiguous", "ambiguity_codes", "is_invalid", "invalid_task_codes")
TOTALS = ("total_max_points", "total_earned_points")
MAX_DEPTH = 4


def report_row(case: Case, court: Court, row: Judgement, kept: bool, seconds: float) -> dict[str, Any]:
    """What a rubric found stands here where the judge was one; null: nobody asked."""
    path = case.scores / f"{court.eval_hash}.json"
    payload = _payload(path) if row.score is not None else {}
    earned, most = (payload.get(f"rubric_{name}", payload.get(name)) for name in reversed(TOTALS))
    failed = row.reason.startswith(JUDGE_ERROR)
    return {
        "task_id": row.task_id,
        "traj_dir": str(case.folder),
        "status": _status(row, kept),
        "score_path": str(path) if row.score is not None else None,
        "rubric_score": earned / most if _number(earned) and _number(most) and most else None,
        "totals": {"total_max_points": most, "total_earned_points": earned} if most is not None else None,
        "rubric_is_success": payload.get("rubric_is_success"),
        "outcome_success": payload.get("outcome_success"),
        "n_actions": row.steps,
        **{name: _below(payload, name) for name in TAXONOMY},
        "duration_sec": round(seconds, 3),
        "error": row.reason if failed or row.execution == "unreadable" else None,
        "traceback": None,
        "eval_hash": court.eval_hash,
        "score": row.score,
        "execution": row.execution,
        "verification": row.verification,
        "reason": row.reason,
        "task_digest": row.task_digest,
    }


def unknown_row(folder: Path, court: Court) -> dict[str, Any]:
    said = "of which task nobody knows: name the --benchmark, or put a task_data.json there"
    return {
        "task_id": folder.name,
        "traj_dir": str(folder),
        "status": "no_task_data",
        "error": said,
        "eval_hash": court.eval_hash,
    }


def write_report(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """By folder, so that the order of judging leaves no trace."""
    lines = (msgspec.json.encode(row) for row in sorted(rows, key=lambda row: str(row["traj_dir"])))
    write_bytes(path, b"".join(line + b"\n" for line in lines))


def _status(row: Judgement, kept: bool) -> str:
    if row.reason.startswith(JUDGE_ERROR):
        return "error"
    if row.execution == "unreadable":
        return "trajectory_unreadable"
    if row.reason == NO_ACTIONS:
        return "no_actions"
    if row.execution == "aborted":
        return "aborted"
    return "cached" if kept else "ok"


def _payload(path: Path) -> dict[str, Any]:
    """What a judge told besides its score, where that is an object."""
    try:
        told = json.loads(decode_lenient(path.read_bytes())["gpt_response_text"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _below(node: Any, name: str, depth: int = MAX_DEPTH) -> Any:
    """The taxonomy stands at different places in different years."""
    if not isinstance(node, dict) or not depth:
        return None
    if name in node:
        return node[name]
    return next((found for child in node.values() if (found := _below(child, name, depth - 1)) is not None), None)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
