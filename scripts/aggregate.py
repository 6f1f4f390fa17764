"""Join a run's shards into one table of scores and its metrics."""

from pathlib import Path

from webassay.core.files import write_json, write_text
from webassay.report.tables import join_scores, to_csv
from webassay.stage import stage
from webassay.stats.success import success_metrics

with stage(snakemake):
    scores = join_scores(map(Path, snakemake.input.shards))
    write_text(Path(snakemake.output.scores), to_csv(scores))
    write_json(Path(snakemake.output.metrics), success_metrics(scores))
