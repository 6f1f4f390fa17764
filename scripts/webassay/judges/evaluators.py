"""What a task's `eval` asks for, in webarena-verified's own words; an option that is not here is refused by name."""

from typing import Any

import msgspec

from webassay.core.task import Task
from webassay.errors import JudgeError
from webassay.evidence.state import Allowed, Rows


class AgentResponseEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="AgentResponseEvaluator"
):
    expected: dict[str, Any]
    """Itself a response, in either spelling."""
    results_schema: dict[str, Any]
    ordered: bool = False


class ExpectedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: str | tuple[str, ...]
    """A list holds alternatives; `^…$` is a pattern for the whole address."""
    http_method: str = "GET"
    response_status: int = 200
    """-1: the request was not answered, as when the page moved on before."""
    query_params: dict[str, tuple[Any, ...]] | None = None
    """In place of the query of `url`."""
    headers: dict[str, str | tuple[str, ...]] | None = None
    post_data: dict[str, Any] | None = None
    """By field name, by JSONPath (`$.issue.title`) or by a pattern of field names (`$.^…$`)."""
    response_content: dict[str, Any] | None = None
    response_cookies: dict[str, Any] | None = None


class NetworkEventEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="NetworkEventEvaluator"
):
    """A request that the trace must hold, or must not."""

    expected: ExpectedEvent
    should_not_exist: bool = False
    """Then method and address alone decide, whatever the answer was."""
    last_event_only: bool = True
    """The last request to the address decides, not any of them."""
    ignored_query_params: tuple[str, ...] = ()
    ignored_query_params_patterns: tuple[str, ...] = ()
    ignored_post_data_params_patterns: tuple[str, ...] = ()
    decode_base64_query: bool = False
    """A segment of the path holds the query, encoded, as Magento's filters do."""
    query_params_schema: dict[str, Any] | None = None
    post_data_schema: dict[str, Any] | None = None


class StateEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="StateEvaluator"
):
    probe: str
    before: Rows
    after: Rows


class ChangesEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="ChangesEvaluator"
):
    """What the task may do to the whole database; everything else is a side effect."""

    allowed: tuple[Allowed, ...]
    """Empty: nothing may be written."""


OTHER_HARNESS = "WebArenaEvaluator"
"""What the original harness is to look at: no concern of this judge's where the task has more than that."""

Evaluator = AgentResponseEvaluator | NetworkEventEvaluator | StateEvaluator | ChangesEvaluator


class Evaluators(msgspec.Struct, frozen=True):
    response: AgentResponseEvaluator
    network: tuple[NetworkEventEvaluator, ...]
    state: tuple[StateEvaluator, ...]
    changes: ChangesEvaluator | None = None


def evaluators_of(task: Task) -> Evaluators:
    own = [one for one in task.eval if one.get("evaluator") != OTHER_HARNESS]
    if task.eval and not own:
        raise JudgeError(f"task {task.task_id}: only a {OTHER_HARNESS}, which judge=webarena reads")
    try:
        found = msgspec.convert(own, tuple[Evaluator, ...])
    except msgspec.ValidationError as error:
        raise JudgeError(f"task {task.task_id}: eval cannot be judged: {error}") from None
    answers = [one for one in found if isinstance(one, AgentResponseEvaluator)]
    if len(answers) != 1:
        raise JudgeError(f"task {task.task_id}: {len(answers)} AgentResponseEvaluators, expected 1")
    limits = [one for one in found if isinstance(one, ChangesEvaluator)]
    if len(limits) > 1:
        raise JudgeError(f"task {task.task_id}: {len(limits)} ChangesEvaluators, expected at most 1")
    return Evaluators(
        answers[0],
        tuple(one for one in found if isinstance(one, NetworkEventEvaluator)),
        tuple(one for one in found if isinstance(one, StateEvaluator)),
        limits[0] if limits else None,
    )
