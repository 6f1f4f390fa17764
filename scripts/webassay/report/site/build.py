"""The site as a whole: pages of trajectories first, then the tables that count them, then the pages that list them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.core.files import write_text
from webassay.report.experiment import Numbers
from webassay.report.site.files import put_assets, put_page, put_script
from webassay.report.site.index import index
from webassay.report.site.matrix import STATES, matrix
from webassay.report.site.pages import run_labels, runs_of, write_pages
from webassay.report.tables import experiment_scores, to_csv

PAGES = {"tasks.html": "Tasks", "compare.html": "Compare two runs"}


def write_report(experiment: ExperimentPlan, given: Mapping[str, Any]) -> None:
    """From the scores of an experiment's runs, into its folder: scores, tables, figures, site."""
    scores = experiment_scores(experiment)
    write_text(experiment.folder / "scores.csv", to_csv(scores))
    build_site(experiment, scores, experiment.folder / "report", given).write()


def build_site(
    experiment: ExperimentPlan,
    scores: pd.DataFrame,
    site: Path,
    given: Mapping[str, Any],
    going: Sequence[Sequence[str]] = (),
) -> Numbers:
    """Writes the site into its folder: `given` is what the user asked for, `going` what is under way.

    The numbers are for the tables' files.
    """
    runs = runs_of(experiment)
    put_assets(site)
    facts = {run.plan.run: write_pages(run, runs, site) for run in runs}
    numbers = Numbers(experiment, scores, facts, run_labels(experiment))
    put_script(site / "data.js", "MATRIX", matrix(runs, scores, facts, experiment.judge_names))
    put_page(site / "index.html", "index.html", **index(numbers, runs, site / "index.html", given), going=going)
    for name, title in PAGES.items():
        put_page(site / name, name, title=f"{title} · {experiment.name}", name=experiment.name, states=STATES)
    return numbers
