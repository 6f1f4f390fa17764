"""Judges at work. IN: runs/<run>/settled/<shard>.json  OUT: runs/<run>/<eval_hash>/<shard>.csv"""


rule verify:
    input:
        tasks="results/runs/{run}/tasks/{shard}.jsonl",
        settled="results/runs/{run}/settled/{shard}.json",
        weights=lambda w: [data.manifest for data in experiment.run(w.run, w.eval_hash).judges_datasets],
    output:
        scores="results/runs/{run}/{eval_hash}/{shard}.csv",
    log:
        "results/logs/verify/{run}/{eval_hash}/{shard}.log",
    script:
        "../scripts/verify.py"
