"""How fast it is, side by side with a reference. OUT: bench/summary.csv, summary.md

On demand: `snakemake --cores 2 bench`. Its files are not outputs, so it measures again whenever it is asked for.
"""


rule bench:
    localrule: True
    log:
        "results/logs/bench.log",
    threads: lambda w: workflow.cores # late, since on a cluster it is an error to ask
    script:
        "../scripts/bench.py"
