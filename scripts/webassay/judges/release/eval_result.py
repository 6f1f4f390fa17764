"""One task's result in the form of the release's `eval_result.json`, for its users' own tools."""

from typing import Any

from webassay.core.task import Task
from webassay.judges.release.result import EvaluatorResult, TaskResult
from webassay.judges.release.shown import shown

RELEASE = "1.2.3"
"""The version of webarena-verified whose verdicts these are."""
EVENT_FIELDS = (
    "url",
    "headers",
    "query_params",
    "post_data",
    "response_content",
    "response_status",
    "http_method",
    "response_cookies",
)


def eval_result(
    task: Task, result: TaskResult, *, data_checksum: str | None = None, evaluator_checksum: str | None = None
) -> dict[str, Any]:
    """The keys are the release's; an error has the score 0, and the evaluator's checksum is ours or null."""
    head: dict[str, Any] = {
        "task_id": as_number(task.task_id),
        "intent_template_id": as_number(task.intent_template_id),
        "sites": list(task.sites),
        "task_revision": task.revision,
        "status": result.status,
        "score": 1.0 if result.status == "success" else 0.0,
        "evaluators_results": [_evaluator(one) for one in result.results],
    }
    if result.error:
        head["error_msg"] = result.error
    return head | {
        "webarena_verified_version": RELEASE,
        "webarena_verified_evaluator_checksum": evaluator_checksum,
        "webarena_verified_data_checksum": data_checksum,
    }


def _evaluator(result: EvaluatorResult) -> dict[str, Any]:
    is_network = result.should_not_exist is not None
    actual = (
        [{name: event.get(name) for name in EVENT_FIELDS} for event in result.actual] if is_network else result.actual
    )
    return {
        "evaluator_name": result.evaluator,
        "status": result.status,
        "score": 1.0 if result.status == "success" else 0.0,
        "actual": shown(actual),
        "actual_normalized": shown(result.normalized),
        "expected": shown(result.expected),
        "assertions": [_assertion(one.name, one.message, result.evidence) for one in result.mismatches] or None,
        "error_msg": result.error or None,
        "should_not_exist": result.should_not_exist,
    }


def _assertion(name: str, message: str, evidence: str) -> dict[str, Any]:
    said = [message, f"decided by {evidence}"] if evidence else [message]
    return {"assertion_name": name, "status": "failure", "assertion_msgs": said}


def as_number(name: str) -> int | str:
    """The release's ids are numbers."""
    return int(name) if name.isascii() and name.isdigit() else name
