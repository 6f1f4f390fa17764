"""Agents at work. IN: runs/<run>/tasks/<shard>.jsonl  OUT: runs/<run>/executed/<shard>.json

Trajectories (runs/<run>/traj/<task_id>/) are not outputs: Snakemake deletes the outputs of a failed job.
"""


rule execute:
    input:
        tasks="results/runs/{run}/tasks/{shard}.jsonl",
    output:
        executed="results/runs/{run}/executed/{shard}.json",
    log:
        "results/logs/execute/{run}/{shard}.log",
    threads: lambda w: experiment.by_run[w.run].config["execution"]["workers"]
    script:
        "../scripts/execute.py"
