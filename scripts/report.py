"""Join the runs of an experiment into its scores and its tables."""

from pathlib import Path

import yaml

from webassay.core.files import write_text
from webassay.report.experiment import tables
from webassay.report.systems import write_systems
from webassay.report.tables import join_scores, to_csv
from webassay.stage import stage

with stage(snakemake) as experiment:
    scores = join_scores(plan.scores for plan in experiment.runs)
    write_text(Path(snakemake.output.scores), to_csv(scores))
    write_text(
        Path(snakemake.output.provenance), yaml.safe_dump(experiment.described(snakemake.config), sort_keys=False)
    )
    for path, text in zip(snakemake.output.tables, tables(experiment, scores), strict=True):
        write_text(Path(path), text)
    write_systems(experiment, scores)
