"""The hard subset of a benchmark. IN: runs/…/tasks.jsonl and scores.csv, or outcomes  OUT: experiments/…/subset/

On demand: `snakemake --cores 2 subset`, of an experiment's own runs or of `analysis.outcomes=PATH`.
"""

from webassay.config.paths import SUBSET_FIGURES, SUBSET_SHEETS


rule subset:
    localrule: True
    input:
        lambda w: experiment.subset_sources,
    output:
        subset=experiment.folder / "subset" / "subset.json",
        diagnostics=experiment.folder / "subset" / "diagnostics.json",
        validation=multiext(str(experiment.folder / "subset" / "validation"), ".csv", ".md"),
        tables=[
            shown(experiment.folder / "subset" / f"{table}.csv", "subset", "Hard subset")
            for table in ["hardness", "categories", "sites", "ablations", "ecdf"]
        ],
        forms=expand(
            experiment.folder / "subset" / "tables" / "{sheet}.{form}", sheet=SUBSET_SHEETS, form=["csv", "md", "tex"]
        ),
        figures=[
            shown(experiment.folder / "subset" / "figures" / f"{figure}.png", "subset", "Hard subset")
            for figure in SUBSET_FIGURES
        ],
        drawings=expand(experiment.folder / "subset" / "figures" / "{figure}.pdf", figure=SUBSET_FIGURES),
        document=experiment.folder / "subset" / "subset.tex",
    params:
        outcomes=experiment.runs[0].config["analysis"]["outcomes"],
    log:
        f"results/logs/subset/{experiment.folder.name}.log",
    script:
        "../scripts/subset.py"
