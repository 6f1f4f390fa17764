"""Every task of every run in one file: what the matrix filters and what the comparison of two runs reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from webassay.core.task import Task
from webassay.report.facts import Facts, JudgeFacts, RunFacts, failure
from webassay.report.site.files import shown
from webassay.report.site.pages import SiteRun
from webassay.report.site.verdicts import state_of

STATES = ("passed", "failed", "auto_zero", "ungraded", "aborted", "waiting")
"""Their order is their number in the file."""
WAITING = STATES.index("waiting")
LONGEST_INTENT, LONGEST_REASON = 240, 120


@dataclass(frozen=True)
class Given:
    """What one judge said of one attempt."""

    state: int
    failure: str = ""
    """By whose fault and in which check; empty where it passed, as is the reason."""
    reason: str = ""


Verdicts = Mapping[tuple[str, str], Mapping[int, Given]]
"""(run, task) -> number of the judge -> what it said."""


def matrix(runs: Sequence[SiteRun], scores: pd.DataFrame, facts: RunFacts, names: Mapping[str, str]) -> dict[str, Any]:
    """Tasks of one name in two benchmarks are two: rows go by benchmark and task."""
    judges = list(names)
    verdicts = _verdicts(scores, judges, facts)
    failures = sorted({given.failure for each in verdicts.values() for given in each.values()} - {""})
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for number, run in enumerate(runs):
        for task in run.tasks:
            row = rows.setdefault((run.plan.parts[3], task.task_id), _row(run, task))
            known = facts[run.plan.run].get(task.task_id, Facts())
            given = verdicts.get((run.plan.run, task.task_id), {})
            row["cells"][number] = [*_said(given, _asked(run, judges), len(judges), failures), *_did(known)]
    return {
        "states": STATES,
        "failures": failures,
        "judges": list(names.values()),
        "runs": [{"label": run.label, "slug": run.slug, "judges": _asked(run, judges)} for run in runs],
        "tasks": [row | {"cells": [row["cells"].get(number) for number in range(len(runs))]} for row in rows.values()],
    }


def _asked(run: SiteRun, judges: list[str]) -> list[int]:
    return [number for number, judge in enumerate(judges) if judge in run.judges]


def _row(run: SiteRun, task: Task) -> dict[str, Any]:
    return {
        "id": task.task_id,
        "benchmark": run.plan.columns["benchmark"],
        "intent": shown(task.intent, LONGEST_INTENT),
        "template": task.template,
        "sites": list(task.sites),
        "difficulty": task.difficulty or "",
        "cells": {},
    }


def _verdicts(scores: pd.DataFrame, judges: list[str], facts: RunFacts) -> Verdicts:
    number_of = {judge: number for number, judge in enumerate(judges)}
    found: dict[tuple[str, str], dict[int, Given]] = {}
    columns = ["run", "task_id", "eval_hash", "execution", "verification", "score", "reason"]
    for row in scores[columns].to_dict("records"):
        run, task, judge = row["run"], row["task_id"], row["eval_hash"]
        known = facts.get(run, {}).get(task, Facts()).judges.get(judge, JudgeFacts())
        found.setdefault((run, task), {})[number_of[judge]] = _given(row, known)
    return found


def _given(row: Mapping[Any, Any], known: JudgeFacts) -> Given:
    state = state_of(row["execution"], row["verification"], None if pd.isna(row["score"]) else row["score"])
    if state == "passed":
        return Given(STATES.index(state))
    return Given(STATES.index(state), failure_name(*failure(row, known)), shown(row["reason"], LONGEST_REASON))


def failure_name(fault: str, check: str) -> str:
    """As the filter and the address have it."""
    return f"{fault}: {check}"


def _said(given: Mapping[int, Given], asked: list[int], judges: int, failures: list[str]) -> list[Any]:
    """States by judge (null: not asked); by judge that did not pass it, the number of the failure and the reason."""
    states = [given[number].state if number in given else WAITING for number in range(judges)]
    told = {str(n): [failures.index(one.failure), one.reason] for n, one in given.items() if one.failure}
    return [[state if number in asked else None for number, state in enumerate(states)], told]


def _did(known: Facts) -> list[Any]:
    """Steps and their signature."""
    return [known.steps, known.signature]
