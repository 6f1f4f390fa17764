"""What can be counted in WebArena's own files: weak checks of the original tasks, sites, templates, the hard subset.

The detectors are those of the paper's Tables 1, 3 and 14, by the definitions that give its numbers. Where the text
defines another set than it counts, both are here (`substring` and `substring_as_defined`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from webassay.benchmarks.selection import task_type
from webassay.core.task import Task
from webassay.errors import TaskError
from webassay.stats.strata import stratum

NOT_ACHIEVABLE = "N/A"
INCLUDE, SIMILAR = "must_include", "fuzzy_match"


class PageCheck(msgspec.Struct, frozen=True):
    """One entry of `program_html`: where it looks and what must be there."""

    locator: str = ""
    required_contents: dict[str, Any] = {}

    @property
    def is_whole_page(self) -> bool:
        return not self.locator.strip()

    @property
    def has_substring(self) -> bool:
        return INCLUDE in self.required_contents


class OriginalChecks(msgspec.Struct, frozen=True):
    """The part of an original task's `eval` that detectors look at."""

    reference_answers: dict[str, Any] | None = None
    program_html: tuple[PageCheck, ...] | None = None

    @property
    def answers(self) -> dict[str, Any]:
        return self.reference_answers or {}

    @property
    def pages(self) -> tuple[PageCheck, ...]:
        return self.program_html or ()


def page_content(checks: OriginalChecks) -> bool:
    """A text is looked for anywhere on a page."""
    return any(page.is_whole_page for page in checks.pages)


def locator(checks: OriginalChecks) -> bool:
    """Something is looked for at a place on a page."""
    return any(not page.is_whole_page for page in checks.pages)


def locator_substring(checks: OriginalChecks) -> bool:
    """A text is looked for anywhere within an element's text."""
    return any("outerText" in page.locator and page.has_substring for page in checks.pages)


def response_substring(checks: OriginalChecks) -> bool:
    """A text is looked for anywhere in the answer."""
    return INCLUDE in checks.answers


def substring(checks: OriginalChecks) -> bool:
    """A substring decides, wherever it is looked for: the set that the paper counts."""
    return response_substring(checks) or any(page.has_substring for page in checks.pages)


def substring_as_defined(checks: OriginalChecks) -> bool:
    """The set that the paper's appendix D defines: in an element's text or in the answer."""
    return locator_substring(checks) or response_substring(checks)


def unachievable(checks: OriginalChecks) -> bool:
    return bool(checks.answers.get(SIMILAR) == NOT_ACHIEVABLE)


def model_judged(checks: OriginalChecks) -> bool:
    """A language model compares the answer with the reference, or the reasons for giving up."""
    return SIMILAR in checks.answers


DETECTORS: dict[str, Callable[[OriginalChecks], bool]] = {
    check.__name__: check
    for check in (
        page_content,
        locator_substring,
        response_substring,
        substring,
        unachievable,
        model_judged,
        locator,
        substring_as_defined,
    )
}
Found = dict[str, frozenset[str]]
"""Detector -> ids of the tasks it finds."""


def detect(tasks: Iterable[Task]) -> Found:
    """Every detector over the original tasks."""
    read = {task.task_id: _checks(task) for task in tasks}
    return {name: frozenset(id for id, checks in read.items() if finds(checks)) for name, finds in DETECTORS.items()}


def overlaps(found: Found) -> dict[tuple[str, str], int]:
    """How many tasks two detectors share; with itself, all that it finds."""
    return {(one, other): len(found[one] & found[other]) for one in found for other in found}


def strata_of(tasks: Iterable[Task]) -> dict[str, str]:
    return {task.task_id: stratum(task.sites) for task in tasks}


def by_stratum(tasks: Iterable[Task], chosen: Iterable[str] | None = None) -> Counter[str]:
    """How many tasks each stratum has, of those chosen by id."""
    strata = strata_of(tasks)
    return Counter(strata[id] for id in (strata if chosen is None else chosen))


def site_combinations(tasks: Iterable[Task]) -> Counter[str]:
    """Tasks by the sites they need together."""
    return Counter("+".join(sorted(task.sites)) for task in tasks)


def template_ids(tasks: Iterable[Task]) -> Counter[str]:
    """Template -> its number of tasks, as the records number templates."""
    return Counter(task.template for task in tasks)


def template_keys(tasks: Iterable[Task]) -> Counter[tuple[tuple[str, ...], str]]:
    """As the paper counts them: a number that two sets of sites share is two templates."""
    return Counter((task.sites, task.template) for task in tasks)


def templates_by_stratum(tasks: Iterable[Task]) -> Counter[str]:
    return Counter(stratum(sites) for sites, _ in template_keys(tasks))


def task_types(tasks: Iterable[Task]) -> Counter[str]:
    """retrieve, mutate, navigate; of WebArena Verified's records."""
    return Counter(task_type(task) or "none" for task in tasks)


def statuses(tasks: Iterable[Task]) -> Counter[str]:
    """Of the expected response."""
    return Counter(str(expected.get("status")) for task in tasks for expected in _expected(task))


def network_checks(tasks: Iterable[Task]) -> Counter[int]:
    """How many requests a task's evaluators expect -> tasks; 0: the response alone decides."""
    return Counter(sum(entry.get("evaluator") == "NetworkEventEvaluator" for entry in task.eval) for task in tasks)


def _expected(task: Task) -> Iterator[Mapping[str, Any]]:
    for entry in task.eval:
        if entry.get("evaluator") == "AgentResponseEvaluator" and isinstance(entry.get("expected"), Mapping):
            yield entry["expected"]


def _checks(task: Task) -> OriginalChecks:
    try:
        return msgspec.convert(task.eval[0] if task.eval else {}, OriginalChecks)
    except msgspec.ValidationError as error:
        raise TaskError(f"task {task.task_id}: not the checks of an original WebArena task: {error}") from None
