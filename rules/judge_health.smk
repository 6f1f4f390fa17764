"""Can an experiment's judges be trusted, and what do they cost. IN: runs/<run>/<eval_hash>/scores.csv, the verdicts'
sidecars, judges/<eval_hash>/challenge.json  OUT: experiments/<name>-<digest>/judge_health/

On demand: `snakemake --cores 2 judge_health --config overrides="judge=webvoyager model@judge.model=gpt-4o …"`.
"""


rule judge_health:
    localrule: True
    input:
        scores=[plan.scores for plan in experiment.runs],
        trials=expand("results/judges/{eval_hash}/challenge.json", eval_hash=experiment.challenges),
    output:
        tables=expand(
            experiment.folder / "judge_health" / "{table}.{form}",
            table=["health", "controls", "attacks", "ablation", "cost", "cost_tasks"],
            form=["csv", "md"],
        ),
    log:
        f"results/logs/judge_health/{experiment.folder.name}.log",
    script:
        "../scripts/judge_health.py"
