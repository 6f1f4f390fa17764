"""The WebArena Verified paper's tables and figures. IN: datasets/…/manifest.json  OUT: paper/…/tables/, figures/, paper.tex

On demand: `snakemake --cores 2 paper`, with `analysis.outcomes=FILE.csv` or runs of your own on WebArena's tasks.
"""


rule paper:
    localrule: True
    input:
        tasks=experiment.paper.tasks.manifest,
        runs=[plan.scores for plan in experiment.paper.runs],
    output:
        tables=expand(
            experiment.paper.folder / "tables" / "{sheet}.{form}",
            sheet=experiment.paper.sheets,
            form=["csv", "md", "tex"],
        ),
        figures=expand(
            experiment.paper.folder / "figures" / "{figure}.{form}",
            figure=experiment.paper.figures,
            form=["pdf", "png"],
        ),
        document=experiment.paper.folder / "paper.tex",
    log:
        f"results/logs/paper/{experiment.paper.folder.name}.log",
    script:
        "../scripts/paper.py"
