"""A judge before the injection suite: runs with known answers, and attacks. OUT: judges/<eval_hash>/challenge.json"""

from webassay.config.identity import code_version


rule challenge:
    localrule: True
    input:
        weights=lambda w: [data.manifest for data in experiment.model_judges[w.eval_hash].judges_datasets],
    output:
        trials="results/judges/{eval_hash}/challenge.json",
    params:
        suite=code_version("webassay.judges.health.attacks"),
    log:
        "results/logs/challenge/{eval_hash}.log",
    script:
        "../scripts/challenge.py"
