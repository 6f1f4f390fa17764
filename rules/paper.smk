"""The WebArena Verified paper's tables and figures. IN: datasets/…/manifest.json  OUT: paper/…/tables/, figures/, paper.tex

On demand: `snakemake --cores 2 paper`, with `analysis.outcomes=FILE.csv` or runs of your own on WebArena's tasks.
"""

from webassay.config.paths import PAPER_FIGURES


rule paper:
    localrule: True
    input:
        tasks=experiment.paper.tasks.manifest,
        runs=[plan.scores for plan in experiment.paper.runs],
    output:
        tables=[
            shown(experiment.paper.folder / "tables" / f"{sheet}.csv", "paper", "The paper's tables")
            for sheet in experiment.paper.sheets
        ],
        forms=expand(
            experiment.paper.folder / "tables" / "{sheet}.{form}", sheet=experiment.paper.sheets, form=["md", "tex"]
        ),
        figures=[
            shown(experiment.paper.folder / "figures" / f"{name}.png", "paper", "The paper's figures")
            for name in PAPER_FIGURES
        ],
        drawings=expand(experiment.paper.folder / "figures" / "{figure}.pdf", figure=PAPER_FIGURES),
        document=experiment.paper.folder / "paper.tex",
    log:
        f"results/logs/paper/{experiment.paper.folder.name}.log",
    script:
        "../scripts/paper.py"
