"""The way in: a task, a response and a trace, judged as webarena-verified 1.2.3 judges them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from webassay.core.task import Task
from webassay.core.verdict import Verdict
from webassay.errors import JudgeError
from webassay.judges.evaluators import Evaluators, evaluators_of
from webassay.judges.release.addresses import Address, Addresses, configured_addresses
from webassay.judges.release.candidates import dynamic
from webassay.judges.release.network import judge_event
from webassay.judges.release.patterns import limited_time
from webassay.judges.release.response import expected_response, judge_response
from webassay.judges.release.result import TaskResult
from webassay.judges.release.trace import Event, TraceFault, given_events, read_events

ADMIN = "shopping_admin"


def judge(
    task: Task,
    response: Any,
    entries: Sequence[Any] | Mapping[str, Any] | None,
    environments: Mapping[str, Any] | None,
) -> Verdict:
    """Judge HAR entries or Playwright snapshots; the entries tell which they are."""
    return results(task, response, entries, environments).verdict()


def judge_file(task: Task, response: Any, path: Path, environments: Mapping[str, Any] | None) -> Verdict:
    return file_results(task, response, path, environments).verdict()


def results(
    task: Task,
    response: Any,
    entries: Sequence[Any] | Mapping[str, Any] | None,
    environments: Mapping[str, Any] | None,
) -> TaskResult:
    """What each evaluator says, in the task's order."""
    evaluators = _evaluators(task)
    try:
        return _results(task, evaluators, response, given_events(entries), environments)
    except TraceFault as fault:
        return TaskResult(error=str(fault))


def file_results(task: Task, response: Any, path: Path, environments: Mapping[str, Any] | None) -> TaskResult:
    evaluators = _evaluators(task)
    try:
        return _results(task, evaluators, response, read_events(path), environments)
    except TraceFault as fault:
        return TaskResult(error=str(fault))


def _evaluators(task: Task) -> Evaluators:
    evaluators = evaluators_of(task)
    if evaluators.state:
        raise JudgeError(f"task {task.task_id}: the release knows no state; judge it with profile=paper")
    return evaluators


def _results(
    task: Task,
    evaluators: Evaluators,
    response: Any,
    events: Sequence[Event],
    environments: Mapping[str, Any] | None,
) -> TaskResult:
    if not isinstance(response, str | dict | list | None):
        return TaskResult(error=f"a response is text, an object, a list or nothing, not {type(response).__name__}")
    with limited_time():
        addresses = configured_addresses(task.sites, environments) or _guessed_addresses(task.sites, events)
        expected = expected_response(evaluators.response)
        answered = judge_response(evaluators.response, expected, response, addresses)
        asked = [judge_event(one, events, addresses, navigates=expected.navigates) for one in evaluators.network]
        return TaskResult((answered, *asked))


def _guessed_addresses(sites: Sequence[str], events: Sequence[Event]) -> Addresses:
    """Scheme and host of the first events that are no static files: the n-th for the n-th site."""
    try:
        pages = dynamic(events)
        if not pages:
            raise TraceFault("environments do not name every site of the task, and no event tells their addresses")
        found = []
        for number, site in enumerate(sites):
            parts = urlparse(events[pages[min(number, len(pages) - 1)]].url)
            found.append(Address(site, (f"{parts.scheme}://{parts.netloc}{'/admin' if site == ADMIN else ''}",)))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TraceFault(f"the sites' addresses cannot be told from the trace: {error!r}") from None
    return Addresses(tuple(found))
