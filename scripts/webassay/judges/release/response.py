"""AgentResponseEvaluator: the structured response, read from almost anything and validated against nothing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webassay.errors import JudgeError
from webassay.judges.evaluators import AgentResponseEvaluator
from webassay.judges.release.addresses import Addresses
from webassay.judges.release.compare import Comparison, Mismatch
from webassay.judges.release.result import EvaluatorResult
from webassay.judges.release.schema import Reader, plain
from webassay.judges.release.values import STRING, read_value

FENCE = "```"
FIELDS = ("task_type", "status", "retrieved_data", "error_details")
OLD_NAME = "performed_operation"
TASK_TYPES = ("RETRIEVE", "MUTATE", "NAVIGATE")


@dataclass(frozen=True)
class Expected:
    """The response that a task expects; `given` are the fields that it names, and only those are read."""

    task_type: str
    status: str
    data: Any
    given: frozenset[str]

    @property
    def retrieves(self) -> bool:
        return self.task_type == "RETRIEVE"

    @property
    def navigates(self) -> bool:
        return self.task_type == "NAVIGATE"


def expected_response(evaluator: AgentResponseEvaluator) -> Expected:
    fields = dict(evaluator.expected)
    if OLD_NAME in fields:
        fields.setdefault("task_type", fields.pop(OLD_NAME))
    task_type, status = (str(fields.get(name, "")).upper() for name in ("task_type", "status"))
    if task_type not in TASK_TYPES or not status:
        raise JudgeError(f"profile release: the expected response {evaluator.expected!r} has no task_type or no status")
    return Expected(task_type, status, fields.get("retrieved_data"), frozenset(fields) & frozenset(FIELDS))


def judge_response(
    evaluator: AgentResponseEvaluator, expected: Expected, response: Any, addresses: Addresses
) -> EvaluatorResult:
    name = "AgentResponseEvaluator"
    want: Any = None
    have: Any = None
    try:
        want = {
            "task_type": read_value(STRING, expected.task_type),
            "status": read_value(STRING, expected.status),
            "retrieved_data": _data(expected.data, evaluator, Reader(True, addresses)),
        }
    except Exception as error:
        return EvaluatorResult(
            name, plain(response), error=f"the expected response cannot be read: {error}", fault="task"
        )
    try:
        have = _normalized(response_fields(response), evaluator, expected, addresses)
        mismatches = _mismatches(want, have, evaluator, expected)
        return EvaluatorResult(name, plain(response), plain(have), plain(want), tuple(mismatches))
    except Exception as error:
        problem = f"the response cannot be evaluated: {type(error).__name__}: {error}"
        return EvaluatorResult(name, plain(response), plain(have), plain(want), error=problem)


def response_fields(response: Any) -> Any:
    """What the first fence of a text holds, or all of it, as JSON if it is; an empty answer is None."""
    if isinstance(response, str):
        text = _unfenced(response)
        try:
            response = json.loads(text)
        except json.JSONDecodeError:
            response = text
    return response or None


def _unfenced(text: str) -> str:
    start = text.find(FENCE) + len(FENCE)
    if start < len(FENCE):
        return text.strip()
    start += len("json") if text.startswith("json", start) else 0
    end = text.find(FENCE, start)
    return text.strip() if end < 0 else text[start:end].strip()


def _normalized(fields: Any, evaluator: AgentResponseEvaluator, expected: Expected, addresses: Addresses) -> Any:
    if not isinstance(fields, Mapping):
        return fields
    normalized: dict[str, Any] = {}
    for name in FIELDS:
        if name not in expected.given:
            continue
        asked = OLD_NAME if name == "task_type" and name not in fields and OLD_NAME in fields else name
        if name == "retrieved_data":
            reads = expected.retrieves and name in fields
            normalized[name] = _data(fields[name], evaluator, Reader(False, addresses)) if reads else None
        elif asked in fields:
            text = fields[asked].strip()  # raises for what is no text: the release's verdict is then an error
            normalized[name] = read_value(STRING, text) if text else None
    return normalized


def _data(data: Any, evaluator: AgentResponseEvaluator, reader: Reader) -> tuple[Any, ...] | None:
    if not data and not isinstance(data, int | float):
        return None
    items = tuple(data) if isinstance(data, list | tuple) else (data,)
    return reader.items(items, evaluator.results_schema)


def _mismatches(want: Any, have: Any, evaluator: AgentResponseEvaluator, expected: Expected) -> list[Mismatch]:
    """Data count only where the task is to retrieve some."""
    found = Comparison(unread=frozenset({"retrieved_data"})).mismatches(want, have, "agent_response")
    if not isinstance(have, Mapping) or not have or not expected.retrieves:
        return found
    wanted, given = want["retrieved_data"], have.get("retrieved_data")
    if wanted is None and given is None:
        return found
    if wanted is None:
        return [*found, Mismatch("retrieved_data_unexpected", f"no data are expected, got {plain(given)}")]
    if given is None:
        return [*found, Mismatch("retrieved_data_missing_or_null", f"no data, expected {plain(wanted)}")]
    return found + Comparison(evaluator.ordered).mismatches(wanted, given, "retrieved_data")
