"""An experiment's systems beside each other: what its report adds for papers, from its scores alone."""

import pandas as pd

from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.files import write_text
from webassay.core.task import read_tasks
from webassay.report.agents import Comparison, compare_each
from webassay.report.agents_table import comparisons_sheet
from webassay.report.comparison import named_systems
from webassay.report.drawing import save
from webassay.report.figures import paired_figure
from webassay.report.headline import headline_sheet
from webassay.report.sheet import Sheet, document
from webassay.stats.coverage import settle


def write_systems(experiment: ExperimentPlan, scores: pd.DataFrame) -> None:
    """The sheets and figures that the experiment's plan lists, and a document that holds them."""
    folder = experiment.folder
    sheets: list[Sheet] = []
    if "comparison" in experiment.sheets:
        comparisons = system_comparisons(experiment, scores)
        sheets.append(comparisons_sheet("comparison", f"{experiment.name}: systems", comparisons, "tasks and judge"))
        save(paired_figure(comparisons), folder / "figures", "paired")
    if "headline" in experiment.sheets:
        sheets.append(headline_sheet(experiment, scores, _levels(experiment)))
    for sheet in sheets:
        sheet.write(folder / "tables")
    if sheets:
        write_text(folder / "report.tex", document(experiment.name, experiment.sheets, experiment.figures))


def system_comparisons(experiment: ExperimentPlan, scores: pd.DataFrame) -> dict[str, Comparison]:
    """One for each benchmark and judge: systems meet where they met the same tasks and the same judge."""
    analysis = experiment.runs[0].analysis
    groups: dict[str, dict[str, pd.DataFrame]] = {}
    expected: dict[str, set[str]] = {}
    for plans in _met(experiment).values():
        title = f"{plans[0].columns['benchmark']}, {plans[0].columns['judge']}"
        title = title if title not in groups else f"{title} ({plans[0].eval_hash}, {plans[0].parts[3]})"
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
    rows = scores[[key in wanted for key in zip(scores["run"], scores["eval_hash"], strict=True)]]
    return rows.assign(run_id=rows["run"])  # users may have the same run ids


def _levels(experiment: ExperimentPlan) -> dict[str, dict[str, str]]:
    """Scores know no difficulty; the run's own list of tasks does."""
    return {
        run: {task.task_id: task.difficulty or "" for task in read_tasks(plan.folder / "tasks.jsonl")}
        for run, plan in experiment.by_run.items()
    }
