"""What an experiment comes to: its scores, and all tables, for programs (CSV) and for people (Markdown)."""

from collections.abc import Iterator

import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.core.files import write_text
from webassay.report.comparison import compared_judges, ensembles, ensembles_markdown, judges_markdown
from webassay.report.systems import write_systems
from webassay.report.tables import join_scores, summarize, summary_markdown, to_csv

FORMS = ("csv", "md")


def write_report(experiment: ExperimentPlan) -> None:
    """From the scores of its runs, into its folder."""
    scores = join_scores(plan.scores for plan in experiment.runs)
    write_text(experiment.folder / "scores.csv", to_csv(scores))
    paths = (experiment.folder / "tables" / f"{name}.{form}" for name in experiment.tables for form in FORMS)
    for path, text in zip(paths, tables(experiment, scores), strict=True):
        write_text(path, text)
    write_systems(experiment, scores)


def tables(experiment: ExperimentPlan, scores: pd.DataFrame) -> Iterator[str]:
    """Two texts for each name in `experiment.tables`, in that order."""
    for name in experiment.tables:
        yield from {"summary": _summary, "judges": _judges, "ensembles": _ensembles}[name](experiment, scores)


def _summary(experiment: ExperimentPlan, scores: pd.DataFrame) -> tuple[str, str]:
    table = summarize(experiment, scores)
    return to_csv(table), summary_markdown(experiment, table)


def _judges(experiment: ExperimentPlan, scores: pd.DataFrame) -> tuple[str, str]:
    table = compared_judges(experiment, scores)
    return to_csv(table), judges_markdown(table)


def _ensembles(experiment: ExperimentPlan, scores: pd.DataFrame) -> tuple[str, str]:
    table = ensembles(experiment, scores)
    return to_csv(table), ensembles_markdown(table)
