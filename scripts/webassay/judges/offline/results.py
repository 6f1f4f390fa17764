"""What scoring writes: scores.csv for tables, and the release's own two files for its users' tools."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import UNREADABLE, write_bytes, write_text
from webassay.core.task import Task
from webassay.core.verdict import Assertion, Verdict
from webassay.judges.offline.ledger import RESULT, Row
from webassay.judges.release.eval_result import as_number
from webassay.judges.release.eval_result import eval_result as release_document
from webassay.judges.release.result import TaskResult

COLUMNS = ("task_id", "template", "sites", "status", "score", "reason", "attribution", "parse_failure")
EVALUATORS = {
    "response": "AgentResponseEvaluator",
    "network": "NetworkEventEvaluator",
    "state": "StateEvaluator",
    "activity": "ActivityEvaluator",
    "session": "SessionEvaluator",
    "exploration": "ExplorationEvaluator",
}
"""By the first word of an assertion's name; the last four are ours alone."""


class Provenance(msgspec.Struct, frozen=True):
    """Whose verdicts these are; the keys are the release's, the words are ours where the evaluator is."""

    webarena_verified_version: str
    webarena_verified_evaluator_checksum: str
    webarena_verified_data_checksum: str


def eval_result(task: Task, verdict: Verdict, provenance: Provenance) -> dict[str, Any]:
    """One task in the form of the release's eval_result.json, where an error has the score 0."""
    result: dict[str, Any] = {
        "task_id": as_number(task.task_id),
        "intent_template_id": as_number(task.intent_template_id),
        "sites": list(task.sites),
        "task_revision": task.revision,
        "status": verdict.status,
        "score": verdict.score or 0.0,
        "evaluators_results": [_evaluator(name, group) for name, group in _by_evaluator(verdict.assertions)],
    }
    if verdict.status == "error":
        result["error_msg"] = one_line(verdict.reason)
    return {**result, **msgspec.to_builtins(provenance)}


def release_result(task: Task, result: TaskResult, provenance: Provenance) -> dict[str, Any]:
    """The same for a verdict of the profile `release`, whose evaluators are known one by one."""
    return release_document(
        task,
        result,
        data_checksum=provenance.webarena_verified_data_checksum,
        evaluator_checksum=provenance.webarena_verified_evaluator_checksum,
    )


def _by_evaluator(assertions: Iterable[Assertion]) -> list[tuple[str, list[Assertion]]]:
    """One group for the response, one for each network event, and one for each further kind of check."""
    groups: dict[str, list[Assertion]] = defaultdict(list)
    for check in assertions:
        room, _, rest = check.name.partition(".")
        groups[f"{room}.{rest.partition('.')[0]}" if room == "network" else room].append(check)
    return [(EVALUATORS.get(key.partition(".")[0], key), group) for key, group in groups.items()]


def _evaluator(name: str, checks: Sequence[Assertion]) -> dict[str, Any]:
    failed = [check for check in checks if not check.passed]
    return {
        "evaluator_name": name,
        "status": "failure" if failed else "success",
        "score": 0.0 if failed else 1.0,
        "actual": _values(checks, "actual"),
        "actual_normalized": _values(checks, "normalized"),
        "expected": _values(checks, "expected"),
        "assertions": [_assertion(check) for check in failed] or None,
        "error_msg": None,
        "should_not_exist": None,
    }


def _values(checks: Sequence[Assertion], field: str) -> Any:
    given = {check.name.rpartition(".")[2]: getattr(check, field) for check in checks}
    given = {name: value for name, value in given.items() if value is not None}
    return (next(iter(given.values())) if len(checks) == 1 else given) if given else None


def _assertion(check: Assertion) -> dict[str, Any]:
    said = [text for text in (check.reason, check.evidence) if text]
    return {"assertion_name": check.name, "status": "failure", "assertion_msgs": said}


def to_json(result: dict[str, Any]) -> bytes:
    """Values that JSON cannot hold (half a surrogate pair, numbers without end) are left out, not the verdict."""
    try:
        return msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
    except (TypeError, ValueError, OverflowError, RecursionError):
        short = [{**one, "actual": None, "actual_normalized": None} for one in result["evaluators_results"]]
        return json.dumps(result | {"evaluators_results": short}, indent=2, default=ascii).encode() + b"\n"


def write_result(folder: Path, content: bytes) -> None:
    """Anew, whatever stood there: a link of that name, put into the logs by others, is replaced and never followed.

    Without fsync, since there are hundreds; the ledger knows how long each is.
    """
    folder.mkdir(exist_ok=True)
    (folder / RESULT).unlink(missing_ok=True)
    with (folder / RESULT).open("xb") as stream:
        stream.write(content)


def leads_out(folder: Path) -> bool:
    """A task's folder that is a link to somewhere else: nothing may be written there."""
    return folder.is_symlink() and not folder.resolve().is_relative_to(folder.parent.resolve())


def write_scores(path: Path, rows: Iterable[Row], evaluator: str, version: int) -> None:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*COLUMNS, "evaluator", "evaluator_version"])
    for row in rows:
        values = [getattr(row, column) for column in COLUMNS]
        table.writerow([*("" if value is None else value for value in values), evaluator, version])
    if not path.is_file() or path.read_bytes() != text.getvalue().encode():
        write_text(path, text.getvalue())


def write_summary(path: Path, rows: Sequence[Row], provenance: Provenance) -> None:
    """The release's eval_results.json, of tasks that were evaluated; its timestamp is that of the last change."""
    judged = [row for row in rows if row.status != "missing"]
    by_site: dict[str, list[Row]] = defaultdict(list)
    for row in judged:
        by_site["-".join(sorted(row.sites.split("+")))].append(row)
    per_site = {site: _counts(group) | _ids(group) for site, group in by_site.items()}
    content = msgspec.to_builtins(provenance) | {"summary": {"overall": _counts(judged), "per_site": per_site}}
    if _without_timestamp(path) != content:
        stamped = {"timestamp": datetime.now(UTC).isoformat()} | content
        write_bytes(path, json.dumps(stamped, indent=2).encode() + b"\n")


def _counts(rows: Sequence[Row]) -> dict[str, Any]:
    success, failure, error = (sum(row.status == status for row in rows) for status in ("success", "failure", "error"))
    return {
        "total": len(rows),
        "success_count": success,
        "failure_count": failure,
        "error_count": error,
        "failed_or_error_count": failure + error,
    }


def _ids(rows: Sequence[Row]) -> dict[str, Any]:
    names = {"success_task_ids": "success", "failed_task_ids": "failure", "error_task_ids": "error"}
    return {key: [as_number(row.task_id) for row in rows if row.status == status] for key, status in names.items()}


def _without_timestamp(path: Path) -> Any:
    try:
        found = msgspec.json.decode(path.read_bytes()) if path.is_file() else None  # a pipe would never end
    except (OSError, *UNREADABLE):
        return None
    return {key: value for key, value in found.items() if key != "timestamp"} if isinstance(found, dict) else None


def one_line(text: str) -> str:
    return " ".join(text.encode(errors="backslashreplace").decode().split())[:500]
