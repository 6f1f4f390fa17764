"""Can an experiment's judges be trusted, and what do they cost. IN: runs/<run>/<eval_hash>/scores.csv, the verdicts'
sidecars, judges/<eval_hash>/challenge.json  OUT: experiments/<name>-<digest>/judge_health/

On demand: `snakemake --cores 2 judge_health --config overrides="judge=webvoyager model@judge.model=gpt-4o …"`.
"""

HEALTH = experiment.folder / "judge_health"
HEALTH_TABLES = ["health", "controls", "attacks", "ablation", "cost", "cost_tasks"]


rule judge_health:
    localrule: True
    input:
        scores=[plan.scores for plan in experiment.runs],
        trials=expand("results/judges/{eval_hash}/challenge.json", eval_hash=experiment.challenges),
    output:
        tables=[shown(HEALTH / f"{table}.csv", "judge_health", "Judges") for table in HEALTH_TABLES],
        texts=expand(HEALTH / "{table}.md", table=HEALTH_TABLES),
    log:
        f"results/logs/judge_health/{experiment.folder.name}.log",
    script:
        "../scripts/judge_health.py"
