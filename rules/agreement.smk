"""How far judges and people agree. IN: a labels file, or runs/<run>/<eval_hash>/scores.csv  OUT: experiments/…/agreement/

On demand: `snakemake --cores 1 agreement --config overrides="analysis.labels=labels.csv"`.
"""


rule agreement:
    localrule: True
    input:
        experiment.label_files,
    output:
        labels=experiment.folder / "agreement" / "labels.csv",
        confusion=experiment.folder / "agreement" / "confusion.csv",
        tables=expand(
            experiment.folder / "agreement" / "{table}.{form}",
            table=["pairs", "strata", "groups", "mcnemar", "correction", "coverage"],
            form=["csv", "md"],
        ),
        latex=experiment.folder / "agreement" / "pairs.tex",
        figures=expand(
            experiment.folder / "agreement" / "{figure}.{form}", figure=["kappa", "coverage"], form=["pdf", "png"]
        ),
    log:
        f"results/logs/agreement/{experiment.folder.name}.log",
    script:
        "../scripts/agreement.py"
