"""All of it: every table in its forms, every figure, the ledger, and a document that holds them."""

from pathlib import Path

from webassay.config.paths import PaperPlan
from webassay.core.files import write_text
from webassay.report.drawing import save
from webassay.report.figures import exploration_figure, paired_figure
from webassay.report.paper.agents import agent_tables, exploration_ratios, headline_table, paired_comparisons
from webassay.report.paper.inputs import Inputs, read_inputs
from webassay.report.paper.ledger import ledger, ledger_sheet, read_claims
from webassay.report.paper.naive import judge_naive, naive_tables
from webassay.report.paper.power import power_table
from webassay.report.paper.tasks import task_tables
from webassay.report.sheet import Sheet, document

TITLE = "WebArena Verified, from what is public"


def write_paper(plan: PaperPlan) -> None:
    """Fills the folder that the plan names, by the names that it lists."""
    inputs = read_inputs(plan)
    sheets = paper_sheets(inputs)
    for name in plan.sheets:
        sheets[name].write(plan.folder / "tables")
    if plan.has_agents:
        _write_figures(inputs, plan.folder / "figures")
    write_text(plan.folder / "paper.tex", document(TITLE, plan.sheets, plan.figures))


def paper_sheets(inputs: Inputs) -> dict[str, Sheet]:
    naive = judge_naive(inputs)
    groups = [task_tables(inputs), naive_tables(inputs, naive), headline_table(inputs, naive), power_table(inputs)]
    if inputs.agents:
        groups.append(agent_tables(inputs, paired_comparisons(inputs)))
    facts = {name: value for group in groups for name, value in group.facts.items()}
    sheets = [*(sheet for group in groups for sheet in group.sheets), ledger_sheet(ledger(read_claims(), facts))]
    return {sheet.name: sheet for sheet in sheets}


def _write_figures(inputs: Inputs, folder: Path) -> None:
    save(exploration_figure(exploration_ratios(inputs)), folder, "figure_2")
    save(paired_figure(paired_comparisons(inputs)), folder, "figure_13")
