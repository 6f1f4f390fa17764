"""Put a judge before runs whose right verdict is known, with and without words that ask for another."""

from pathlib import Path

from webassay.config.kinds import build_judge
from webassay.core.files import write_json
from webassay.judges.health.trials import challenge
from webassay.judges.lifecycle import Court
from webassay.stage import stage

with stage(snakemake) as experiment:
    plan = experiment.model_judges[snakemake.wildcards.eval_hash]
    court = Court(build_judge(plan.config), plan.eval_hash, plan.identity["judge"])
    trials = challenge(court, plan.config["llm"], plan.config["execution"]["judging"])
    write_json(Path(snakemake.output.trials), trials)
