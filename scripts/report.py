"""Join the runs of an experiment into its scores and its summary."""

from pathlib import Path

import yaml

from webassay.core.files import write_text
from webassay.report.tables import join_scores, markdown, summarize, to_csv
from webassay.stage import stage

with stage(snakemake) as experiment:
    scores = join_scores(plan.scores for plan in experiment.runs)
    table = summarize(experiment, scores)
    write_text(Path(snakemake.output.scores), to_csv(scores))
    write_text(Path(snakemake.output.csv), to_csv(table))
    write_text(
        Path(snakemake.output.provenance), yaml.safe_dump(experiment.described(snakemake.config), sort_keys=False)
    )
    write_text(Path(snakemake.output.markdown), markdown(experiment, table))
