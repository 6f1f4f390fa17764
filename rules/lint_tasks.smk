"""Every task's verifier against evidence that must pass and evidence that must not. OUT: experiments/…/lint/findings.csv

On demand: `snakemake --cores 2 lint_tasks`. Its file is no output: Snakemake deletes the outputs of a failed job, and
this one fails when it has found something.
"""


rule lint_tasks:
    localrule: True
    input:
        lambda w: [plan.scores for plan in experiment.oracle_runs],
    log:
        f"results/logs/lint_tasks/{experiment.folder.name}.log",
    script:
        "../scripts/lint_tasks.py"
