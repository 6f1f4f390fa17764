"""Profile `paper`: what the WebArena Verified paper promises of its evaluator, held.

The agent's text is never a pattern and never a list of guesses; all of its answer must be right, and the trace must
show that it was found on the task's own sites, by somebody logged in where that is asked for.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from webassay.core.response import ParseFailure, Response, parse_response
from webassay.core.task import Task
from webassay.core.verdict import Assertion, Verdict, verdict_of
from webassay.errors import ConfigError, JudgeError, TrajectoryError
from webassay.evidence.activity import check_activity, check_exploration, check_session, session_sites
from webassay.evidence.har import BrokenEntry, Events, broken_entry
from webassay.evidence.site import Site
from webassay.evidence.state import State, check_changed, check_recorded, check_seeded, check_side_effects
from webassay.judges.address import rendered
from webassay.judges.errata import mended
from webassay.judges.evaluators import AgentResponseEvaluator, Evaluators, evaluators_of
from webassay.judges.network import check_events
from webassay.matching.compare import check_expectation, compare, normalized
from webassay.matching.pattern import limited_time
from webassay.matching.tolerance import Tolerances
from webassay.matching.value import shown


class Exploration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much looking round an answer that can be guessed needs: a status, a truth value, a digit, a duration."""

    pages: int = 2
    """Different pages of the task's sites, the first one included."""
    tau: float = 0.5
    """The paper's threshold (§3.2): the share of a site's usual number of actions, where actions are recorded."""
    usual_actions: dict[str, float] = {}
    """By site: the median over runs that succeeded."""
    usual: float = 6.0
    """For sites that the table leaves out."""

    def __post_init__(self) -> None:
        numbers = (self.pages, self.tau, self.usual, *self.usual_actions.values())
        if not all(math.isfinite(number) and number >= 0 for number in numbers):
            raise ConfigError("exploration: pages, tau and the usual numbers of actions must be numbers from 0 on")

    def least(self, sites: list[Site]) -> int:
        return math.ceil(self.tau * max(self.usual_actions.get(site.name, self.usual) for site in sites))


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the configuration may choose of this profile; part of the judge's identity."""

    errata: bool = True
    tolerances: Tolerances = Tolerances()
    exploration: Exploration = Exploration()


class Evidence(msgspec.Struct, frozen=True):
    """All that is known of one attempt."""

    events: Events
    sites: Mapping[str, Site]
    state: State | None = None
    steps: int | None = None
    """Actions of the agent; None where only the network was recorded."""


def judge(task: Task, response: Any, evidence: Evidence, rules: Rules) -> Verdict:
    """All assertions are evaluated and listed, also after one has failed: response, network, sites, state."""
    try:
        with limited_time():
            return _judge(task, response, evidence, rules)
    except BrokenEntry as error:
        number, reason = broken_entry(evidence.events) or ("?", str(error))
        raise TrajectoryError(f"network.har#{number}: {reason}") from None


def _judge(task: Task, response: Any, evidence: Evidence, rules: Rules) -> Verdict:
    if rules.errata:
        task = mended(task)
    evaluators = evaluators_of(task)
    own = _own_sites(task, evidence.sites)
    expected = _expected(task, evaluators.response, evidence.sites)
    given = parse_response(response)
    sound = _check_harness(evaluators, evidence.state)
    used = list(_check_use(task, own, evidence))
    assertions = (
        *_check_response(evaluators.response, expected, given, response, rules.tolerances),
        *check_events(evaluators.network, evidence.events, evidence.sites, expected.action, rules.tolerances),
        *used,
        *_check_guess(evaluators.response, own, expected, evidence, rules.exploration),
        *sound,
        *_check_effects(evaluators, evidence.state),
    )
    parse_failure = isinstance(given, ParseFailure)
    # whatever else failed may have failed because of the first of these
    if fault := next((check for check in sound if not check.passed), None):
        return Verdict(None, "error", fault.reason, assertions, "harness", parse_failure)
    if dead := next((check for check in used if check.fault == "site"), None):
        return Verdict(0.0, "failure", dead.reason, assertions, "site", parse_failure)
    return verdict_of(assertions, parse_failure=parse_failure)


def _check_harness(evaluators: Evaluators, state: State | None) -> list[Assertion]:
    """What must hold of the evidence before it says anything of the agent."""
    seeded = [check_seeded(probe.probe, probe.before, state) for probe in evaluators.state]
    return [*seeded, check_recorded(state)] if evaluators.changes else seeded


def _check_effects(evaluators: Evaluators, state: State | None) -> Iterator[Assertion]:
    for probe in evaluators.state:
        yield check_changed(probe.probe, probe.after, state)
    if evaluators.changes and state and state.changes is not None:
        yield check_side_effects(evaluators.changes.allowed, state.changes)


def is_guessable(expected: Response, schema: Mapping[str, Any]) -> bool:
    """Whether one guess in ten or so is right; durations are compared with a tolerance of a minute."""
    if expected.status != "SUCCESS" or expected.results is None:
        return expected.status != "SUCCESS"
    is_duration = (schema.get("items") or {}).get("format") == "duration"
    return is_duration or all(_is_small(leaf) for leaf in _leaves(expected.results))


def _check_use(task: Task, own: list[Site], evidence: Evidence) -> Iterator[Assertion]:
    for site in own:
        yield check_activity(site, evidence.events)
    for site in session_sites(task.account, own):
        yield check_session(site, evidence.events)


def _check_guess(
    answer: AgentResponseEvaluator, own: list[Site], expected: Response, evidence: Evidence, exploration: Exploration
) -> Iterator[Assertion]:
    if is_guessable(expected, answer.results_schema):
        yield check_exploration(own, evidence.events, exploration.pages, evidence.steps, exploration.least(own))


def _is_small(leaf: Any) -> bool:
    return isinstance(leaf, bool) or (isinstance(leaf, int | float) and abs(leaf) < 10)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)
    else:
        yield value


def _expected(task: Task, answer: AgentResponseEvaluator, sites: Mapping[str, Site]) -> Response:
    """The response that passes; a fault in it is found whatever the agent answered."""
    expected = parse_response(answer.expected)
    if isinstance(expected, ParseFailure):
        raise JudgeError(f"task {task.task_id}: the expected response is none: {expected.reason}")
    expected = msgspec.structs.replace(expected, results=rendered(expected.results, sites))
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
    evaluator: AgentResponseEvaluator,
    expected: Response,
    given: Response | ParseFailure,
    raw: Any,
    tolerances: Tolerances,
) -> list[Assertion]:
    wanted = {"action": expected.action, "status": expected.status, "results": expected.results}
    if isinstance(given, ParseFailure):
        failed = Assertion("response.schema", False, actual=_given(raw), reason=given.reason)
        unread = [Assertion(f"response.{name}", False, want, reason="no response") for name, want in wanted.items()]
        return [failed, *unread]
    schema = evaluator.results_schema
    results = compare(schema, expected.results, given.results, ordered=evaluator.ordered, tolerances=tolerances)
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


def _given(raw: Any) -> str:
    """The beginning of an answer that could not be read."""
    try:
        return shown(raw)
    except (ValueError, RecursionError):  # a number of thousands of digits, a list in a list in a list …
        return f"a {type(raw).__name__} too large to be shown"
