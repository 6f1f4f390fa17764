"""What happened in an experiment's runs. IN: runs/<run>/traj/  OUT: experiments/<name>-<digest>/analysis/

On demand: `snakemake analyze`. Steps, times, tokens, errors, refusals, scores at step budgets, and their figures.
"""

ANALYSIS = experiment.folder / "analysis"
ANALYSIS_TABLES = ["averages", "budgets", "steps", "times", "tokens", "errors", "refusals"]
ANALYSIS_FIGURES = ["steps", "budgets", "errors"]


rule analyze:
    localrule: True
    input:
        [plan.scores for plan in experiment.runs],
    output:
        tables=[shown(ANALYSIS / f"{table}.csv", "analysis", "Trajectories") for table in ANALYSIS_TABLES],
        texts=expand(ANALYSIS / "{table}.md", table=ANALYSIS_TABLES),
        trajectories=ANALYSIS / "trajectories.csv",
        figures=[shown(ANALYSIS / f"figures/{figure}.png", "analysis", "Trajectories") for figure in ANALYSIS_FIGURES],
        drawings=expand(ANALYSIS / "figures/{figure}.pdf", figure=ANALYSIS_FIGURES),
    log:
        f"results/logs/analyze/{experiment.folder.name}.log",
    script:
        "../scripts/analyze.py"
