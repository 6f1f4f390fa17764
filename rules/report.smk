"""The experiment's tables. IN: runs/<run>/<eval_hash>/scores.csv  OUT: experiments/<name>-<digest>/scores.csv, tables/"""


rule report:
    localrule: True
    input:
        [plan.scores for plan in experiment.runs],
    output:
        scores=experiment.folder / "scores.csv",
        provenance=experiment.folder / "experiment.yaml",
        tables=expand(experiment.folder / "tables" / "{table}.{form}", table=experiment.tables, form=["csv", "md"]),
    log:
        f"results/logs/report/{experiment.folder.name}.log",
    script:
        "../scripts/report.py"
