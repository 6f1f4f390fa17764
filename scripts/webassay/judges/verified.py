"""The judge `verified`: deterministic, from a structured response, network evidence and backend state.

Profile `paper` does what the WebArena Verified paper says. All assertions are evaluated and listed, also after one has
failed, in this order: response, network, activity, session, state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.response import ParseFailure, Response, parse_response
from webassay.core.task import Task, task_from_record
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Verdict, verdict_of
from webassay.errors import ConfigError, JudgeError
from webassay.evidence.activity import Site, check_activity, check_session, session_sites, sites_of
from webassay.evidence.har import NetworkEvent, events_of, read_har
from webassay.evidence.state import Rows, State, check_changed, check_seeded, read_state, state_of
from webassay.judges.network import NetworkEventEvaluator, check_event, render
from webassay.matching.compare import check_expectation, compare, normalized

VERSION = 1
PROFILES = ("paper",)
TRACE_FORMATS = ("har",)


class AgentResponseEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="AgentResponseEvaluator"
):
    expected: dict[str, Any]
    """Itself a response, in either spelling."""
    results_schema: dict[str, Any]
    ordered: bool = False


class StateEvaluator(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="evaluator", tag="StateEvaluator"
):
    probe: str
    before: Rows
    after: Rows


Evaluator = AgentResponseEvaluator | NetworkEventEvaluator | StateEvaluator


@dataclass(frozen=True)
class Verified:
    profile: str = "paper"

    def __post_init__(self) -> None:
        _check_choice("profile", self.profile, PROFILES)

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        recorded = trajectory.folder / "state.json"
        return evaluate_file(
            task,
            trajectory.answer.final_answer,
            trajectory.folder / "network.har",
            environments=trajectory.environments,
            profile=self.profile,
            state=read_state(recorded) if recorded.exists() else None,
        )


def evaluate_file(
    task: Task | dict[str, Any],
    response: Any,
    path: Path,
    *,
    environments: Mapping[str, Any] | None,
    profile: str = "paper",
    state: State | dict[str, Any] | None = None,
) -> Verdict:
    """Judge a HAR on disk; one that is missing or broken is a TrajectoryError, not a failure."""
    return evaluate(task, response, read_har(Path(path)), environments=environments, profile=profile, state=state)


def evaluate(
    task: Task | dict[str, Any],
    response: Any,
    har: Sequence[Any] | None,
    *,
    environments: Mapping[str, Any] | None,
    trace_format: str = "har",
    profile: str = "paper",
    state: State | dict[str, Any] | None = None,
) -> Verdict:
    """Judge HAR entries, decoded or as NetworkEvents; no trace at all is status `error`, an empty one is evidence."""
    _check_choice("profile", profile, PROFILES)
    _check_choice("trace_format", trace_format, TRACE_FORMATS)
    task = task if isinstance(task, Task) else task_from_record(task, "task")
    if har is None:
        return Verdict(None, "error", "no network trace: the attempt is not evidence", attribution="harness")
    given = parse_response(response)
    return _verdict(task, given, response, events_of(har), sites_of(environments), state_of(state))


def _verdict(
    task: Task,
    given: Response | ParseFailure,
    raw: Any,
    events: tuple[NetworkEvent, ...],
    sites: Mapping[str, Site],
    state: State | None,
) -> Verdict:
    answer, network, probes = _evaluators(task)
    own = _own_sites(task, sites)
    expected = _expected(task, answer, sites)
    seeded = [check_seeded(probe.probe, probe.before, state) for probe in probes]
    assertions = (
        *_check_response(answer, expected, given, raw),
        *(check_event(f"network.{n}", one, events, sites, expected.action) for n, one in enumerate(network, 1)),
        *(check_activity(site, events) for site in own),
        *(check_session(site, events) for site in session_sites(task.account, own)),
        *seeded,
        *(check_changed(probe.probe, probe.after, state) for probe in probes),
    )
    parse_failure = isinstance(given, ParseFailure)
    fault = next((check for check in seeded if not check.passed), None)
    if fault:  # whatever else failed may have failed because of it
        return Verdict(None, "error", fault.reason, assertions, "harness", parse_failure)
    return verdict_of(assertions, parse_failure=parse_failure)


def _evaluators(task: Task) -> tuple[AgentResponseEvaluator, list[NetworkEventEvaluator], list[StateEvaluator]]:
    try:
        evaluators = msgspec.convert(task.eval, tuple[Evaluator, ...])
    except msgspec.ValidationError as error:
        raise JudgeError(f"task {task.task_id}: eval cannot be judged: {error}") from None
    answers = [one for one in evaluators if isinstance(one, AgentResponseEvaluator)]
    if len(answers) != 1:
        raise JudgeError(f"task {task.task_id}: {len(answers)} AgentResponseEvaluators, expected 1")
    network = [one for one in evaluators if isinstance(one, NetworkEventEvaluator)]
    return answers[0], network, [one for one in evaluators if isinstance(one, StateEvaluator)]


def _expected(task: Task, answer: AgentResponseEvaluator, sites: Mapping[str, Site]) -> Response:
    """The response that passes; a fault in it is found whatever the agent answered."""
    expected = parse_response(answer.expected)
    if isinstance(expected, ParseFailure):
        raise JudgeError(f"task {task.task_id}: the expected response is none: {expected.reason}")
    expected = msgspec.structs.replace(expected, results=_rendered(expected.results, sites))
    try:
        check_expectation(answer.results_schema, expected.results)
    except JudgeError as error:
        raise JudgeError(f"task {task.task_id}: {error}") from None
    return expected


def _own_sites(task: Task, sites: Mapping[str, Site]) -> list[Site]:
    if missing := [name for name in task.sites if name not in sites]:
        raise ConfigError(f"task {task.task_id} is on {missing[0]!r}, which environments do not name")
    return [sites[name] for name in task.sites]


def _check_response(
    evaluator: AgentResponseEvaluator, expected: Response, given: Response | ParseFailure, raw: Any
) -> list[Assertion]:
    wanted = {"action": expected.action, "status": expected.status, "results": expected.results}
    if isinstance(given, ParseFailure):
        failed = Assertion("response.schema", False, actual=ascii(raw)[:200], reason=given.reason)
        unread = [Assertion(f"response.{name}", False, want, reason="no response") for name, want in wanted.items()]
        return [failed, *unread]
    schema = evaluator.results_schema
    results = compare(schema, expected.results, given.results, ordered=evaluator.ordered)
    return [
        Assertion("response.schema", True),
        _equality("action", expected.action, given.action, expected.action == given.action),
        _equality("status", expected.status, given.status, expected.agrees_in_status(given)),
        Assertion(
            "response.results",
            results.equal,
            expected.results,
            given.results,
            normalized(schema, given.results),
            reason=f"results: {results.reason}" if results.reason else "",
        ),
    ]


def _equality(name: str, expected: str, actual: str, equal: bool) -> Assertion:
    reason = "" if equal else f"{name} is {actual}, expected {expected}"
    return Assertion(f"response.{name}", equal, expected, actual, reason=reason)


def _rendered(expected: Any, sites: Mapping[str, Site]) -> Any:
    """Placeholders in an expected value; where a site has several addresses, each is an alternative."""
    if isinstance(expected, dict):
        return {key: _rendered(value, sites) for key, value in expected.items()}
    if isinstance(expected, list):
        return [_rendered(value, sites) for value in expected]
    if not isinstance(expected, str) or "__" not in expected:
        return expected
    spellings = list(render(expected, sites))
    return spellings[0] if len(spellings) == 1 else spellings


def _check_choice(key: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigError(f"{key}={value!r} is not known to the judge verified; known: {', '.join(known)}")
