"""One run, one judge. IN: runs/<run>/<eval_hash>/<shard>.csv  OUT: runs/<run>/<eval_hash>/scores.csv, metrics.json"""


rule aggregate:
    localrule: True
    input:
        shards=expand("results/runs/{{run}}/{{eval_hash}}/{shard}.csv", shard=experiment.shards),
    output:
        scores="results/runs/{run}/{eval_hash}/scores.csv",
        metrics="results/runs/{run}/{eval_hash}/metrics.json",
    params:
        # with another number of shards the inputs are other files, so what they are made from is named here too
        tasks=lambda w: experiment.by_run[w.run].tasks_digest,
        retries=lambda w: experiment.by_run[w.run].config["execution"]["max_error_task_retries"],
    log:
        "results/logs/aggregate/{run}/{eval_hash}.log",
    script:
        "../scripts/aggregate.py"
