"""Try every task's verifier, write down what it let pass or refused wrongly, and fail if there is anything."""

import sys
from functools import partial

from webassay.core.files import write_text
from webassay.core.task import read_tasks
from webassay.errors import ConfigError, WebassayError
from webassay.judges.lint.tasks import findings_csv, lint_run
from webassay.stage import stage

with stage(snakemake) as experiment:
    if not experiment.oracle_runs:
        raise ConfigError("no run of the oracle is planned under judge=verified; see system= and judge= in overrides")
    reports = {
        plan.run: lint_run(plan, read_tasks(plan.folder / "tasks.jsonl"), partial(print, file=sys.stderr, flush=True))
        for plan in experiment.oracle_runs
    }
    findings = experiment.folder / "lint" / "findings.csv"
    write_text(findings, findings_csv(reports))
    for run, report in reports.items():
        print(f"{run}: {report.summary()}")
    if any(report.findings for report in reports.values()):
        raise WebassayError(f"verifiers are at fault; see {findings}")
