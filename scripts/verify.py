"""Judge the settled trajectories of a shard."""

from pathlib import Path

from webassay.core.files import write_text
from webassay.core.task import read_tasks
from webassay.judges.verify.shard import verify_shard
from webassay.report.tables import scores_csv
from webassay.stage import stage

with stage(snakemake) as experiment:
    plan = experiment.run(snakemake.wildcards.run, snakemake.wildcards.eval_hash)
    tasks = read_tasks(Path(snakemake.input.tasks))
    judgements = verify_shard(plan, snakemake.wildcards.shard, tasks, Path(snakemake.log[0]))
    write_text(Path(snakemake.output.scores), scores_csv(plan, judgements))
