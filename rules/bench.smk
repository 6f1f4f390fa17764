"""How fast it is, side by side with a reference. OUT: bench/summary.csv, summary.md

On demand: `snakemake --cores 2 bench`. Its files are not outputs, so it measures again whenever it is asked for.
"""


rule bench:
    localrule: True
    log:
        "results/logs/bench.log",
    threads: workflow.cores or 1 # none on a cluster
    script:
        "../scripts/bench.py"
