"""How far judges and people agree. IN: a labels file, or runs/<run>/<eval_hash>/scores.csv  OUT: experiments/…/agreement/

On demand: `snakemake --cores 1 agreement --config overrides="analysis.labels=labels.csv"`.
"""

AGREEMENT = experiment.folder / "agreement"
AGREEMENT_TABLES = ["pairs", "strata", "groups", "mcnemar", "correction", "coverage"]
AGREEMENT_FIGURES = ["kappa", "coverage"]


rule agreement:
    localrule: True
    input:
        experiment.label_files,
    output:
        labels=AGREEMENT / "labels.csv",
        confusion=AGREEMENT / "confusion.csv",
        tables=[shown(AGREEMENT / f"{table}.csv", "agreement", "Judges") for table in AGREEMENT_TABLES],
        texts=expand(AGREEMENT / "{table}.md", table=AGREEMENT_TABLES),
        latex=expand(AGREEMENT / "{table}.tex", table=["pairs", "strata"]),
        figures=[shown(AGREEMENT / f"{figure}.png", "agreement", "Judges") for figure in AGREEMENT_FIGURES],
        drawings=expand(AGREEMENT / "{figure}.pdf", figure=AGREEMENT_FIGURES),
    log:
        f"results/logs/agreement/{experiment.folder.name}.log",
    script:
        "../scripts/agreement.py"
