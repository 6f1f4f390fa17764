"""Is each task's verifier right? What a perfect agent leaves must pass, and anything less must not.

Evidence is of two kinds: ideal, made from what the task expects, and real, as the oracle left it in the browser.
"""

import csv
import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import msgspec

from webassay.config.paths import RunPlan
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Verdict
from webassay.errors import WebassayError
from webassay.evidence.har import Events, events_of
from webassay.evidence.site import Site, sites_of
from webassay.evidence.state import State, read_state, state_of
from webassay.evidence.trace import read_trace
from webassay.judges import paper
from webassay.judges.evaluators import OTHER_HARNESS
from webassay.judges.lint.ideal import Case, ideal
from webassay.judges.lint.spoil import spoiled
from webassay.judges.paper import Evidence, Rules
from webassay.judges.verified import Verified, unjudged
from webassay.judges.webarena import WebArena

Check = Literal[
    "ideal", "corruption", "oracle", "oracle, original harness", "pair of ideal evidence", "pair of real evidence"
]
EVERY = 5.0
"""Seconds between two words of progress."""


@dataclass(frozen=True)
class Finding:
    """A line of findings.csv."""

    check: Check
    task_id: str
    """Whose verifier is at fault."""
    what: str
    """The corruption, or the task whose evidence was given."""
    found: str


@dataclass(frozen=True)
class Left:
    """What one attempt left behind, ready to be judged as evidence of any task."""

    task: Task
    response: Any
    events: Events
    state: State | None
    sites: dict[str, Site]
    steps: int | None = None


@dataclass
class Report:
    """How often each check was made, and what should not have come of it."""

    tasks: int = 0
    tried: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def note(self, check: Check, task_id: str, what: str, found: str) -> None:
        """`found` is empty where all is well."""
        self.tried[check] = self.tried.get(check, 0) + 1
        if found:
            self.findings.append(Finding(check, task_id, what, found))

    def right(self, check: Check) -> str:
        """`12 of 14`"""
        tried = self.tried.get(check, 0)
        return f"{tried - sum(finding.check == check for finding in self.findings)} of {tried}"

    def summary(self) -> str:
        return (
            f"{self.tasks} tasks: ideal evidence passes {self.right('ideal')}, the oracle {self.right('oracle')}, "
            f"under the original harness {self.right('oracle, original harness')}; "
            f"caught are {self.right('corruption')} corruptions; told apart are "
            f"{self.right('pair of ideal evidence')} pairs by ideal and {self.right('pair of real evidence')} by real "
            f"evidence; findings: {len(self.findings)}"
        )


def findings_csv(reports: Mapping[str, Report]) -> str:
    """Of all runs; only a header where there is nothing to tell."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["run", *(one.name for one in fields(Finding))])
    table.writerows([run, *astuple(one)] for run, report in reports.items() for one in report.findings)
    return text.getvalue()


def lint_run(plan: RunPlan, tasks: Sequence[Task], say: Callable[[str], None]) -> Report:
    """Every task of an oracle's run: alone, then each against the evidence of all others."""
    rules = Verified(**_options(plan)).rules
    with_state = bool(plan.config["environment"]["database"])
    report, progress = Report(len(tasks)), _Progress(say)
    ideals, reals = [], []
    for number, task in enumerate(tasks, 1):
        left = _lint_oracle(task, plan.folder / "traj" / task.task_id, rules, report)
        reals += [left] if left else []
        case = _lint_ideal(task, left.sites, rules, report) if left else None
        if case:
            ideals.append(_left(case))
            _lint_corruptions(case, with_state, rules, report)
        progress.say(f"{number} of {len(tasks)} tasks, {report.tried.get('corruption', 0)} corruptions tried")
    _lint_pairs("pair of ideal evidence", ideals, rules, report, progress)
    _lint_pairs("pair of real evidence", reals, rules, report, progress)
    return report


def _options(plan: RunPlan) -> dict[str, Any]:
    kept = ("profile", "errata", "tolerances", "exploration")
    return {key: plan.config["judge"][key] for key in kept if key in plan.config["judge"]}


def _lint_oracle(task: Task, folder: Path, rules: Rules, report: Report) -> Left | None:
    """The trajectory is read here, once for all checks."""
    try:
        left = read_left(task, folder)
    except WebassayError as error:
        report.note("oracle", task.task_id, "", str(error))
        return None
    report.note("oracle", task.task_id, "", _unless_passed(_judged(task, left, rules)))
    if any(entry.get("evaluator") == OTHER_HARNESS for entry in task.eval):
        original = WebArena().judge(task, Trajectory.from_folder(folder))
        report.note("oracle, original harness", task.task_id, "", _unless_passed(original))
    return left


def read_left(task: Task, folder: Path) -> Left:
    trajectory = Trajectory.from_folder(folder)
    recorded = folder / "state.json"
    return Left(
        task,
        trajectory.answer.final_answer,
        read_trace(folder / "network.har"),
        read_state(recorded) if recorded.exists() else None,
        sites_of(trajectory.environments),
        len(trajectory.steps),
    )


def _lint_ideal(task: Task, sites: dict[str, Site], rules: Rules, report: Report) -> Case | None:
    environments = {name: msgspec.to_builtins(site) for name, site in sites.items()}
    try:
        case = ideal(task, environments, rules.errata)
        report.note("ideal", task.task_id, "", _unless_passed(_judged(task, _left(case), rules)))
        return case
    except (WebassayError, LookupError, TypeError, ValueError) as error:  # an expectation that makes no sense
        report.note("ideal", task.task_id, "", f"no ideal evidence can be made: {error!r}")
        return None


def _lint_corruptions(case: Case, with_state: bool, rules: Rules, report: Report) -> None:
    for name, wrong in spoiled(case, with_state):
        report.note("corruption", case.task.task_id, name, _unless_failed(_judged(case.task, _left(wrong), rules)))


def _lint_pairs(check: Check, left: Sequence[Left], rules: Rules, report: Report, progress: "_Progress") -> None:
    """What one task's agent left must not do for another."""
    for number, one in enumerate(left, 1):
        for other in left:
            if other is not one:
                passed = _judged(one.task, _as_if_asked(other, one), rules).score == 1.0
                report.note(check, one.task.task_id, other.task.task_id, "it passes" if passed else "")
        progress.say(f"{check}: {number} of {len(left)} tasks against all others")


def _as_if_asked(other: Left, one: Left) -> Left:
    """Probes that only the judged task has found nothing changed: the judge must not live on their absence."""
    seeded = {entry["probe"]: entry["before"] for entry in one.task.eval if entry["evaluator"] == "StateEvaluator"}
    asked = {name for name in seeded if other.task.probes.get(name) == one.task.probes.get(name)}
    given = other.state or State({}, {}, None)
    untouched = {name: rows for name, rows in seeded.items() if name not in asked}
    before, after = (
        {name: rows for name, rows in side.items() if name in asked} | untouched for side in (given.before, given.after)
    )
    return Left(other.task, other.response, other.events, State(before, after, given.changes), one.sites, other.steps)


def _left(case: Case) -> Left:
    return Left(case.task, case.response, events_of(case.har), state_of(case.state), sites_of(case.environments))


def _judged(task: Task, left: Left, rules: Rules) -> Verdict:
    try:
        return paper.judge(task, left.response, Evidence(left.events, left.sites, left.state, left.steps), rules)
    except WebassayError as error:
        return unjudged(error)


def _unless_passed(verdict: Verdict) -> str:
    return "" if verdict.score == 1.0 else f"{verdict.status}: {verdict.reason}"


def _unless_failed(verdict: Verdict) -> str:
    """An error is no failure: the agent would get another try, or nothing."""
    if verdict.score == 0.0:
        return ""
    return "it passes" if verdict.score == 1.0 else f"no verdict: {verdict.reason}"


@dataclass
class _Progress:
    """Says how far it is, now and then."""

    tell: Callable[[str], None]
    last: float = field(default_factory=time.monotonic)

    def say(self, text: str) -> None:
        if time.monotonic() - self.last >= EVERY:
            self.last = time.monotonic()
            self.tell(text)
