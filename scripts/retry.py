"""Attempt the aborted tasks of a shard again, a bounded number of times."""

from pathlib import Path

from webassay.core.files import write_json
from webassay.core.task import read_tasks
from webassay.stage import stage
from webassay.systems.supervisor import Crew, retry_shard

with stage(snakemake) as experiment:
    plan = experiment.run(snakemake.wildcards.run)
    with Crew.of(plan, snakemake.rule, snakemake.wildcards.shard, Path(snakemake.log[0])) as crew:
        manifest = retry_shard(crew, read_tasks(Path(snakemake.input.tasks)))
    write_json(Path(snakemake.output.settled), manifest)
