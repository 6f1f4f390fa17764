"""An experiment's systems beside each other: groups that met the same tasks and the same judge."""

import pandas as pd

from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.report.agents import Comparison, compare_each
from webassay.report.comparison import named_systems
from webassay.stats.coverage import settle


def system_comparisons(experiment: ExperimentPlan, scores: pd.DataFrame) -> dict[str, Comparison]:
    """One for each benchmark and judge: systems meet where they met the same tasks and the same judge."""
    analysis = experiment.runs[0].analysis
    groups: dict[str, dict[str, pd.DataFrame]] = {}
    expected: dict[str, set[str]] = {}
    for plans in _met(experiment).values():
        title = f"{plans[0].columns['benchmark']}, {experiment.judge_names[plans[0].eval_hash]}"
        parts = {name: _of(scores, each) for name, each in named_systems(plans).items()}
        expected[title] = {task for rows in parts.values() for task in rows["task_id"]}
        groups[title] = {name: settle(rows, analysis["ungraded"]) for name, rows in parts.items()}
    return compare_each(groups, expected, analysis["confidence"], analysis["anchor"])


def _met(experiment: ExperimentPlan) -> dict[tuple[str, str], list[RunPlan]]:
    found: dict[tuple[str, str], list[RunPlan]] = {}
    for plan in experiment.runs:
        found.setdefault((plan.columns["benchmark"], plan.eval_hash), []).append(plan)
    return found


def _of(scores: pd.DataFrame, plans: list[RunPlan]) -> pd.DataFrame:
    wanted = {(plan.run, plan.eval_hash) for plan in plans}
    keys = pd.MultiIndex.from_frame(scores[["run", "eval_hash"]])
    rows = scores[keys.isin(list(wanted))]
    return rows.assign(run_id=rows["run"])  # users may have the same run ids
