"""A run's tasks. IN: datasets/…/manifest.json  OUT: runs/<run>/tasks.jsonl, tasks/<shard>.jsonl"""


rule tasks:
    localrule: True
    input:
        lambda w: [data.manifest for data in experiment.by_run[w.run].datasets],
    output:
        tasks="results/runs/{run}/tasks.jsonl",
        shards=expand("results/runs/{{run}}/tasks/{shard}.jsonl", shard=experiment.shards),
    params:
        digest=lambda w: experiment.by_run[w.run].tasks_digest,
    log:
        "results/logs/tasks/{run}.log",
    script:
        "../scripts/tasks.py"
