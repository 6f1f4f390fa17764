"""Join a run's shards into one table of scores and its metrics."""

from pathlib import Path

from webassay.report.tables import write_run_scores
from webassay.stage import stage

with stage(snakemake):
    write_run_scores(map(Path, snakemake.input.shards), Path(snakemake.output.scores).parent)
