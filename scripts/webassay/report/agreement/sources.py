"""Where an experiment's labels come from: a file, its own verdicts, or both."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from webassay.benchmarks.published_labels import load_labels
from webassay.config.inputs import codebook_files, label_files, split_form
from webassay.config.paths import ExperimentPlan
from webassay.report.health.seen import benches
from webassay.report.tables import experiment_scores
from webassay.stats.codebook import check_against, read_codebook
from webassay.stats.labels import Label, check_labels
from webassay.stats.ratings import Convention, Ratings, read_ratings

Judging = tuple[str, str, str]
"""Run, digest of the judge, task."""


def labels_of(experiment: ExperimentPlan) -> list[Label]:
    """Of the file, of the verdicts, or of both; an item of both has one name and may be judged by people."""
    analysis = experiment.analysis
    files = label_files(analysis)
    labels = load_labels(split_form(analysis["labels"])[0], files) if files else []
    if not files or analysis["agreement"]["with_scores"]:
        labels = [*labels, *labels_of_scores(experiment_scores(experiment), margins(experiment))]
        check_labels(labels)
    return labels


def margins(experiment: ExperimentPlan) -> dict[Judging, float]:
    """How sure judges with votes were, so that it can be told where they can be trusted."""
    return {
        (bench.plan.run, bench.plan.eval_hash, seen.task_id): seen.margin
        for bench in benches(experiment)
        if bench.asks_models
        for seen in bench.seen
        if seen.margin is not None
    }


def labels_of_scores(scores: pd.DataFrame, certainty: Mapping[Judging, float]) -> list[Label]:
    """A judge's verdict on each trajectory; ungraded is no verdict, never a failure. A template is a cluster."""
    return [_label(row, certainty) for row in scores.to_dict("records")]


def _label(row: dict[Any, Any], certainty: Mapping[Judging, float]) -> Label:
    score = row["score"]
    return Label(
        item=f"{row['run']}/{row['task_id']}",
        rater=row["judge"],
        label="" if pd.isna(score) else "success" if score >= 1 else "failure",
        cluster=f"{row['benchmark']}/{row['template']}",
        confidence=certainty.get((row["run"], row["eval_hash"], row["task_id"])),
        strata={"stratum_system": row["system"], "stratum_site": row["sites"]},
        where=f"scores of {row['run']}",
    )


def ratings_of(labels: list[Label], analysis: dict[str, Any]) -> list[Ratings]:
    """One for each category; a codebook says which values there are."""
    node = analysis["agreement"]
    success, failure, excluded = (tuple(node[name]) for name in ("success", "failure", "excluded"))
    convention = Convention(success, failure, excluded, node["missing"])
    books = codebook_files(analysis)
    if not books:
        return read_ratings(labels, convention)
    book = read_codebook(books[0])
    check_against(book, labels)
    return read_ratings(labels, convention, book.values)
