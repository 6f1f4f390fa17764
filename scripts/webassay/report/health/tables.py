"""All tables of the health of an experiment's judges; two of them stand in each report."""

from webassay.config.paths import ExperimentPlan
from webassay.report.analysis.tables import Table, plain
from webassay.report.health.ablation import ablation_table
from webassay.report.health.costs import cost_table, task_cost_table
from webassay.report.health.known import attacks_table, controls_table, tried_in
from webassay.report.health.reliability import reliability_table
from webassay.report.health.seen import benches
from webassay.report.sheet import Sheet


def health_tables(experiment: ExperimentPlan) -> dict[str, Table]:
    found, tried = benches(experiment), tried_in(experiment)
    tables = (
        reliability_table(found),
        controls_table(tried),
        attacks_table(tried, float(experiment.analysis["confidence"])),
        ablation_table(found),
        cost_table(found),
        task_cost_table(found),
    )
    return {table.name: table for table in tables}


def health_sheet(experiment: ExperimentPlan) -> Sheet:
    return _sheet("judge_health", reliability_table(benches(experiment)))


def cost_sheet(experiment: ExperimentPlan) -> Sheet:
    return _sheet("judge_cost", cost_table(benches(experiment)))


def _sheet(name: str, table: Table) -> Sheet:
    return Sheet(name, table.title, table.data, table.shown.map(plain), table.instead or table.note)
