"""Scores -> the tables people read and the files programs read."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from webassay.config.naming import NAMES, differing_settings
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.files import write_json, write_text
from webassay.judges.lifecycle import Judgement
from webassay.stats.success import Interval, interval_metrics, success_metrics

IDENTITY = list(NAMES)
COLUMNS = [
    *IDENTITY,
    "eval_hash",
    "task_id",
    "template",
    "sites",
    "execution",
    "verification",
    "reason",
    "score",
    "steps",
    "parse_failure",
    "task_digest",
    "run",
]
TYPES: dict[Any, Any] = dict.fromkeys(COLUMNS, "str") | {"score": "float64", "steps": "Int64", "parse_failure": "bool"}
STATES = ["scored", "auto_zero", "ungraded", "aborted"]
SUMMARY_NOTE = (
    "Success in percent with its number of tasks: `all` counts ungraded tasks as 0, `graded` leaves them out, "
    "`answered` counts only tasks that ended with an answer. The interval is over templates (t, T−1 degrees of "
    "freedom), with ungraded tasks as 0; ± 0.0 means that all templates agree, not that nothing is uncertain. "
    "`scored`: a judge decided; `auto_zero`: it ended without an answer (budget spent, or the system failed); "
    "`ungraded`: nobody could judge it, of which `aborted` are those that browser, site or disk broke off."
)


def scores_csv(plan: RunPlan, judgements: Iterable[Judgement]) -> str:
    rows = [plan.columns | msgspec.to_builtins(judgement) for judgement in judgements]
    return to_csv(pd.DataFrame(rows, columns=COLUMNS).astype({"steps": "Int64"}))


def to_csv(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, lineterminator="\n")


def join_scores(paths: Iterable[Path]) -> pd.DataFrame:
    """One table, sorted so that shards and the order of runs leave no trace in it."""
    unknown = {"score": [""], "steps": [""]}
    parts = [pd.read_csv(path, dtype=TYPES, keep_default_na=False, na_values=unknown) for path in paths]
    return _sorted(pd.concat(parts, ignore_index=True))


def experiment_scores(experiment: ExperimentPlan) -> pd.DataFrame:
    return named_judges(experiment, join_scores(plan.scores for plan in experiment.runs))


def named_judges(experiment: ExperimentPlan, scores: pd.DataFrame) -> pd.DataFrame:
    """A run knows its judge's name, an experiment what tells two of one name apart."""
    return scores.assign(judge=scores["eval_hash"].map(experiment.judge_names))


def typed_scores(rows: pd.DataFrame) -> pd.DataFrame:
    """The same of rows that come from elsewhere, or of none."""
    return _sorted(rows.reindex(columns=COLUMNS).astype(TYPES))


def _sorted(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.sort_values(["run", "eval_hash", "task_id"], ignore_index=True)


def write_run_scores(shards: Iterable[Path], folder: Path) -> None:
    """A run before one judge: `scores.csv` and `metrics.json`."""
    scores = join_scores(shards)
    write_text(folder / "scores.csv", to_csv(scores))
    write_json(folder / "metrics.json", success_metrics(scores))


def summarize(experiment: ExperimentPlan, scores: pd.DataFrame) -> pd.DataFrame:
    """One line for each run and judge, in the experiment's order, with full precision."""
    lines = []
    for plan in experiment.runs:
        rows = scores[(scores["run"] == plan.run) & (scores["eval_hash"] == plan.eval_hash)]
        confidence = plan.config["analysis"]["confidence"]
        judge = experiment.judge_names[plan.eval_hash]
        columns = plan.columns | {"judge": judge, "settings": differing_settings(plan, experiment.runs)}
        lines.append({**columns, **success_metrics(rows), **interval_metrics(rows, confidence)})
    return pd.DataFrame(lines)


def readable(table: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """For people: percentages, intervals, counts beside their denominators; columns that say nothing left out."""
    shown = pd.DataFrame({name: table[name] for name in IDENTITY})
    shown = shown.drop(columns=[name for name in IDENTITY[1:4] if shown[name].nunique() == 1])
    if table["settings"].any():
        shown["settings"] = table["settings"]
    rows = table.to_dict("records")
    for name in ("all", "graded", "answered"):
        shown[f"success %, {name}"] = [shown_rate(row[f"micro_{name}"], row[f"n_{name}"]) for row in rows]
    shown[f"template-macro ± {100 * confidence:g} % CI"] = [
        shown_interval(Interval(row["macro_all"], row["macro_all_half_width"], row["templates_all"])) for row in rows
    ]
    for state in STATES:
        shown[state] = table[state]
    return shown


def markdown_table(title: str, table: pd.DataFrame, note: str) -> str:
    return f"# {title}\n\n{table.to_markdown(index=False, disable_numparse=True)}\n\n{note}\n"


def shown_rate(value: float | None, count: int) -> str:
    return f"n/a (n={count})" if value is None or pd.isna(value) else f"{100 * value:.1f} (n={count})".replace("-", "−")


def shown_interval(interval: Interval) -> str:
    """A spread that is unknown is n/a, never 0."""
    mean, half = interval.mean, interval.half_width
    if mean is None or pd.isna(mean):
        return "n/a"
    spread = "n/a" if half is None or pd.isna(half) else f"{100 * half:.1f}"
    return f"{100 * mean:.1f} ± {spread} (T={interval.templates})".replace("-", "−")
