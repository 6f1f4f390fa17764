"""Write a run's tasks, whole and by shard, and the configuration it was planned with."""

from pathlib import Path

import yaml

from webassay.benchmarks.selection import load_tasks
from webassay.config.kinds import build_judge, build_system
from webassay.config.paths import in_shard
from webassay.core.files import write_jsonl, write_text
from webassay.evidence.probe import check_probes
from webassay.stage import stage

with stage(snakemake) as experiment:
    plan = experiment.run(snakemake.wildcards.run)
    build_system(plan.config), build_judge(plan.config)  # a mistake in either is told before an agent has run
    tasks = load_tasks(plan.config, plan.benchmark_data.folder)
    if plan.seeded_database:
        check_probes(plan.seeded_database, tasks)
    write_jsonl(Path(snakemake.output.tasks), tasks)
    for shard, path in zip(experiment.shards, snakemake.output.shards, strict=True):
        write_jsonl(Path(path), [task for task in tasks if in_shard(task.task_id, shard)])
    write_text(plan.folder / "run.yaml", yaml.safe_dump(plan.described))
