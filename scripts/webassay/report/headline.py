"""Headline tables of repeated runs: by benchmark, by segment of it and by level of difficulty, as a mean over runs."""

from collections.abc import Iterator, Mapping

import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.report.agents_table import shown_percent
from webassay.report.comparison import named_systems
from webassay.report.sheet import Sheet
from webassay.stats.coverage import settle
from webassay.stats.repeats import Repeats, pass_all, pass_at, repeats
from webassay.stats.strata import with_strata

NOTE = (
    "Success in percent, the mean of the runs' own rates, ± their standard deviation. Segments are the sites of tasks "
    "(multi: several), levels their difficulty where the benchmark names one. Within: the share of a task's attempts "
    "that differ from run to run, as a variance; across: the variance of tasks' rates beyond that. pass@k: one of k "
    "attempts passes; pass^k: all k do, k being the number of runs. Only tasks that every run has "
    "count; what only some have is left out and counted apart."
)


def headline_sheet(experiment: ExperimentPlan, scores: pd.DataFrame, levels: Mapping[str, Mapping[str, str]]) -> Sheet:
    """`levels`: run -> task -> difficulty."""
    rows = [row for part in _parts(experiment, scores) for row in _rows(*part, levels)]
    data = pd.DataFrame(rows)
    return Sheet("headline", "Means over runs", data, pd.DataFrame([_shown(row) for row in rows]), NOTE)


def _parts(experiment: ExperimentPlan, scores: pd.DataFrame) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """The attempts of each system before each judge."""
    ungraded = experiment.runs[0].analysis["ungraded"]
    for eval_hash, judge in experiment.judge_names.items():
        runs = [plan for plan in experiment.runs if plan.eval_hash == eval_hash]
        for name, plans in named_systems(runs).items():
            mine = scores[scores["run"].isin({plan.run for plan in plans}) & (scores["judge"] == judge)]
            mine = mine.assign(run_id=mine["run"])  # users may have the same run ids
            yield {"system": name, "judge": judge, "benchmark": plans[0].columns["benchmark"]}, settle(mine, ungraded)


def _rows(
    names: dict[str, str], attempts: pd.DataFrame, levels: Mapping[str, Mapping[str, str]]
) -> Iterator[dict[str, object]]:
    named = with_strata(attempts)
    pairs = zip(named["run"], named["task_id"], strict=True)
    named = named.assign(level=[levels.get(run, {}).get(task, "") for run, task in pairs])
    yield _row(names, "all", "", named)
    for kind, column in (("segment", "stratum"), ("level", "level")):
        for value, rows in named.groupby(column):
            if value:
                yield _row(names, kind, str(value), rows)


def _row(names: dict[str, str], kind: str, value: str, rows: pd.DataFrame) -> dict[str, object]:
    found: Repeats = repeats(rows)
    return {
        **names,
        "by": kind,
        "of": value,
        "runs": found.runs,
        "tasks": found.tasks,
        "left_out": found.left_out,
        "success": found.mean,
        "between": found.between,
        "within": found.within,
        "across": found.across,
        "k": found.runs,
        "pass_at_k": pass_at(rows, found.runs).rate,
        "pass_all_k": pass_all(rows, found.runs).rate,
    }


def _shown(row: dict[str, object]) -> dict[str, str]:
    texts = {name: str(row[name]) for name in ("system", "judge", "benchmark", "by", "of", "runs", "tasks")}
    spread = _percent(row["between"])
    return texts | {
        "left out": str(row["left_out"]),
        "success % ± sd": _percent(row["success"]) + (f" ± {spread}" if row["success"] is not None else ""),
        "within": _three(row["within"]),
        "across": _three(row["across"]),
        "pass@k": _percent(row["pass_at_k"]),
        "pass^k": _percent(row["pass_all_k"]),
    }


def _percent(value: object) -> str:
    return shown_percent(value if isinstance(value, float) else None)


def _three(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "n/a"
