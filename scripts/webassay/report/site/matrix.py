"""Every task of every run in one file: what the matrix filters and what the comparison of two runs reads."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from webassay.core.task import Task
from webassay.report.facts import Facts, RunFacts
from webassay.report.site.files import shown
from webassay.report.site.pages import SiteRun
from webassay.report.site.verdicts import state_of

STATES = ("passed", "failed", "auto_zero", "ungraded", "aborted", "waiting")
"""Their order is their number in the file."""
WAITING = STATES.index("waiting")
LONGEST_INTENT, LONGEST_REASON = 240, 120


def matrix(runs: Sequence[SiteRun], scores: pd.DataFrame, facts: RunFacts, names: Mapping[str, str]) -> dict[str, Any]:
    """Tasks of one name in two benchmarks are two: rows go by benchmark and task."""
    judges = list(names)
    verdicts = _verdicts(scores, judges)
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for number, run in enumerate(runs):
        for task in run.tasks:
            row = rows.setdefault((run.plan.parts[3], task.task_id), _row(run, task))
            known = facts[run.plan.run].get(task.task_id, Facts())
            row["cells"][number] = _cell(run, task, known, judges, verdicts)
    return {
        "states": STATES,
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


def _verdicts(scores: pd.DataFrame, judges: list[str]) -> dict[tuple[str, str], dict[int, tuple[int, str]]]:
    """(run, task) -> judge -> state and reason."""
    number_of = {judge: number for number, judge in enumerate(judges)}
    found: dict[tuple[str, str], dict[int, tuple[int, str]]] = {}
    columns = scores[["run", "task_id", "eval_hash", "execution", "verification", "score", "reason"]]
    for run, task, judge, execution, verification, score, reason in columns.itertuples(index=False):
        state = state_of(execution, verification, None if pd.isna(score) else score)
        found.setdefault((run, task), {})[number_of[judge]] = (STATES.index(state), reason)
    return found


def _cell(
    run: SiteRun,
    task: Task,
    known: Facts,
    judges: list[str],
    verdicts: Mapping[tuple[str, str], Mapping[int, tuple[int, str]]],
) -> list[Any]:
    """States by judge (null: not asked), the first reason for anything but success, steps, signature of the steps."""
    given = verdicts.get((run.plan.run, task.task_id), {})
    asked = _asked(run, judges)
    states = [given.get(number, (WAITING, ""))[0] if number in asked else None for number in range(len(judges))]
    reason = next((reason for state, reason in given.values() if state and reason), "")
    return [states, shown(reason, LONGEST_REASON), known.steps, known.signature]
