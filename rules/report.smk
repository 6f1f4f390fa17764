"""The experiment's tables. IN: runs/<run>/<eval_hash>/scores.csv  OUT: experiments/<name>-<digest>/scores.csv, tables/, figures/"""


rule report:
    localrule: True
    input:
        [plan.scores for plan in experiment.runs],
    output:
        scores=experiment.folder / "scores.csv",
        provenance=experiment.folder / "experiment.yaml",
        tables=expand(experiment.folder / "tables" / "{table}.{form}", table=experiment.tables, form=["csv", "md"]),
        sheets=expand(experiment.folder / "tables" / "{sheet}.{form}", sheet=experiment.sheets, form=["csv", "md", "tex"]),
        figures=expand(experiment.folder / "figures" / "{figure}.{form}", figure=experiment.figures, form=["pdf", "png"]),
        document=[experiment.folder / "report.tex"] if experiment.sheets else [],
    log:
        f"results/logs/report/{experiment.folder.name}.log",
    script:
        "../scripts/report.py"
