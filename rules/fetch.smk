"""Datasets and built sites, checked against their pins. OUT: datasets/<name>-<digest>/manifest.json"""


rule fetch:
    localrule: True
    output:
        manifest="results/datasets/{dataset}/manifest.json",
    log:
        "results/logs/fetch/{dataset}.log",
    script:
        "../scripts/fetch.py"
