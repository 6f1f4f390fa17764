"""All tables of an experiment, for programs (CSV) and for people (Markdown)."""

from collections.abc import Iterator

import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.report.comparison import compared_judges, ensembles, ensembles_markdown, judges_markdown
from webassay.report.tables import summarize, summary_markdown, to_csv


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
