"""`verify_report.jsonl`: a line for each trajectory, in the columns of webeval's own report, and after them ours."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import decode_lenient, write_bytes
from webassay.core.processes import exclusive_folder
from webassay.errors import WebassayError
from webassay.judges.lifecycle import JUDGE_ERROR, NO_ACTIONS, Case, Court, Judgement, read_sidecar

TAXONOMY = ("has_failure", "first_failure_step", "is_ambiguous", "ambiguity_codes", "is_invalid", "invalid_task_codes")
COLUMNS = (
    *("task_id", "traj_dir", "status", "score_path", "rubric_score", "totals", "rubric_is_success"),
    *("outcome_success", "n_actions", *TAXONOMY, "duration_sec", "error", "traceback"),
)
"""webeval's own."""
TOTALS = ("total_max_points", "total_earned_points")
MAX_DEPTH = 4


def report_row(case: Case, court: Court, row: Judgement, kept: bool, seconds: float) -> dict[str, Any]:
    """What a rubric found stands here where the judge was one; null: nobody asked."""
    path = case.scores / f"{court.eval_hash}.json"
    payload = _payload(path) if row.score is not None else {}
    earned, most = (payload.get(f"rubric_{name}", payload.get(name)) for name in reversed(TOTALS))
    sidecar = read_sidecar(case.scores, court.eval_hash) if row.execution != "unreadable" else None
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
        "unseen": sidecar.unseen if sidecar else None,
    }


def unknown_row(folder: Path, court: Court, why: str) -> dict[str, Any]:
    """Of a trajectory that could not come before the judge: `why`, or nobody knows its task."""
    said = why or "of which task nobody knows: name the --benchmark, or put a task_data.json there"
    status = "error" if why else "no_task_data"
    told = {"task_id": folder.name, "traj_dir": str(folder), "status": status, "error": said}
    return dict.fromkeys(COLUMNS) | told | {"eval_hash": court.eval_hash}


def write_report(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """By folder and judge, so that the order of judging leaves no trace; what the report says of others stands."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_folder(path.parent):
            before = path.read_bytes().splitlines() if path.is_file() else []
            lines = {_about(line): line for line in before if line.strip()}
            lines |= {_about(line): line for line in map(msgspec.json.encode, rows)}
            write_bytes(path, b"".join(lines[about] + b"\n" for about in sorted(lines)))
    except OSError as error:
        raise WebassayError(
            f"{path}: {error.strerror}; --report FILE puts the report elsewhere, --scores-dir DIR all that is written"
        ) from None


def _about(line: bytes) -> tuple[str, str]:
    """The trajectory and the judge; a line of somebody else's stands for itself."""
    try:
        row = decode_lenient(line)
        return str(row["traj_dir"]), str(row.get("eval_hash", ""))
    except (ValueError, TypeError, KeyError, AttributeError):
        return line.decode("utf-8", "replace"), ""


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
