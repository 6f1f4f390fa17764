"""What happened in an experiment's runs. IN: runs/<run>/traj/  OUT: experiments/<name>-<digest>/analysis/

On demand: `snakemake analyze`. Steps, times, tokens, errors, refusals, scores at step budgets, and their figures.
"""

ANALYSIS = experiment.folder / "analysis"


rule analyze:
    localrule: True
    input:
        [plan.scores for plan in experiment.runs],
    output:
        tables=expand(
            ANALYSIS / "{table}.{form}",
            table=["averages", "budgets", "steps", "times", "tokens", "errors", "refusals"],
            form=["csv", "md"],
        ),
        trajectories=ANALYSIS / "trajectories.csv",
        figures=expand(ANALYSIS / "figures/{figure}.{form}", figure=["steps", "budgets", "errors"], form=["pdf", "png"]),
    log:
        f"results/logs/analyze/{experiment.folder.name}.log",
    script:
        "../scripts/analyze.py"
