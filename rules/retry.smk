"""Aborted tasks again, bounded. IN: runs/<run>/executed/<shard>.json  OUT: runs/<run>/settled/<shard>.json"""


rule retry:
    input:
        tasks="results/runs/{run}/tasks/{shard}.jsonl",
        executed="results/runs/{run}/executed/{shard}.json",
    output:
        settled="results/runs/{run}/settled/{shard}.json",
    params:
        most=lambda w: experiment.by_run[w.run].config["execution"]["max_error_task_retries"],
    log:
        "results/logs/retry/{run}/{shard}.log",
    threads: lambda w: experiment.by_run[w.run].config["execution"]["workers"]
    script:
        "../scripts/retry.py"
