"""webassay: what is evaluated stands in config/, where it goes is decided by its digest, what still has to run here.

    snakemake --cores all
    snakemake --cores 8 --config experiment=quickstart overrides="system=oracle run_id=range(0,3)"
"""

import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.27")
sys.path.insert(0, str(Path(workflow.current_basedir) / "scripts"))

from webassay.config.experiment import check_keys, note_start, plan_experiment
from webassay.core.files import require_space
from webassay.core.processes import become_supervisor, child_environment
from webassay.errors import WebassayError

os.environ |= child_environment()  # jobs use this checkout's package, whatever is installed
become_supervisor(Path.cwd(), clear=workflow.is_main_process)
try:
    check_keys(config)
    require_space(Path.cwd())
    experiment = plan_experiment(config.get("experiment"), config.get("overrides"))
    if workflow.is_main_process and not workflow.dryrun:
        note_start(config, experiment)
except WebassayError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    run="|".join(map(re.escape, experiment.by_run)),
    eval_hash="|".join(re.escape(plan.eval_hash) for plan in experiment.runs),
    shard=r"\d+-of-\d+",
    dataset="|".join(map(re.escape, experiment.datasets)),


def shown(path, caption, category):
    """Also in `snakemake --report`, under its category."""
    return report(path, caption=f"captions/{caption}.rst", category=category, labels={"name": Path(path).stem})


include: "rules/fetch.smk"
include: "rules/tasks.smk"
include: "rules/execute.smk"
include: "rules/retry.smk"
include: "rules/verify.smk"
include: "rules/aggregate.smk"
include: "rules/subset.smk"
include: "rules/paper.smk"
include: "rules/report.smk"
include: "rules/analyze.smk"
include: "rules/agreement.smk"
include: "rules/challenge.smk"
include: "rules/judge_health.smk"
include: "rules/lint_tasks.smk"
include: "rules/bench.smk"


rule all:
    default_target: True
    input:
        rules.report.output,
