"""All of it: every table in its forms, every figure, the ledger, and a document that holds them."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webassay.config.paths import PAPER_FIGURES, PAPER_SHEETS, SUBSET_FIGURES, SUBSET_SHEETS, PaperPlan
from webassay.core.files import write_text
from webassay.report.agents import Comparison
from webassay.report.drawing import save
from webassay.report.figures import exploration_figure, message_figure, paired_figure
from webassay.report.paper.agents import agent_tables, exploration_ratios, headline_table, paired_comparisons
from webassay.report.paper.group import Group
from webassay.report.paper.inputs import Inputs, read_inputs
from webassay.report.paper.ledger import Entry, ledger, ledger_sheet, read_claims
from webassay.report.paper.missing import missing_sheet, missing_text
from webassay.report.paper.naive import judge_naive, naive_tables
from webassay.report.paper.power import power_table
from webassay.report.paper.subset import defaults, fitted
from webassay.report.paper.tasks import task_tables
from webassay.report.sheet import Sheet, document
from webassay.report.subset.figures import CAPTIONS as SUBSET_CAPTIONS
from webassay.report.subset.figures import draw
from webassay.report.subset.hard import HardSubset
from webassay.report.subset.sheets import subset_sheets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "WebArena Verified, from what is public"
CAPTIONS = {
    "figure_2": "Figure 2: exploration of unachievable tasks",
    **SUBSET_CAPTIONS,
    "figure_13": "Figure 13: agents beside an anchor, paired differences over templates",
}


def write_paper(plan: PaperPlan) -> None:
    """Fills the folder that the plan names, by the names that it lists."""
    paper = Paper(read_inputs(plan))
    for name in plan.sheets:
        paper.sheets[name].write(plan.folder / "tables")
    for name in PAPER_FIGURES:
        save(paper.figures[name], plan.folder / "figures", name)
    write_text(plan.folder / "paper.tex", document(TITLE, plan.sheets, CAPTIONS))


@dataclass(frozen=True)
class Paper:
    """What cannot be made says what is missing, so that each table and figure of the paper has its files."""

    inputs: Inputs

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        made = {sheet.name: sheet for group in self._groups for sheet in group.sheets}
        if isinstance(self._subset, HardSubset):
            made |= subset_sheets(self._subset)
        made["paper_status"] = ledger_sheet(self._entries)
        return made | {
            name: missing_sheet(name, self._entries, self._reason(name)) for name in PAPER_SHEETS if name not in made
        }

    @cached_property
    def figures(self) -> "dict[str, Figure]":
        made: dict[str, Figure] = {}
        if self.inputs.agents:
            made["figure_2"] = exploration_figure(exploration_ratios(self.inputs))
            made["figure_13"] = paired_figure(self._comparisons)
        if isinstance(self._subset, HardSubset):
            made |= draw(self._subset)
        absent = [name for name in PAPER_FIGURES if name not in made]
        texts = {name: missing_text(name, self._entries, self._reason(name)) for name in absent}
        return made | {name: message_figure(text) for name, text in texts.items()}

    @cached_property
    def _groups(self) -> list[Group]:
        naive = judge_naive(self.inputs)
        made = [task_tables(self.inputs), naive_tables(self.inputs, naive), headline_table(self.inputs, naive)]
        made += [power_table(self.inputs), Group((), defaults())]
        return [*made, agent_tables(self.inputs, self._comparisons)] if self.inputs.agents else made

    @cached_property
    def _entries(self) -> list[Entry]:
        facts = {name: value for group in self._groups for name, value in group.facts.items()}
        return ledger(read_claims(), facts)

    @cached_property
    def _comparisons(self) -> dict[str, Comparison]:
        return paired_comparisons(self.inputs)

    @cached_property
    def _subset(self) -> HardSubset | str:
        return fitted(self.inputs)

    def _reason(self, name: str) -> str:
        fits = name in (*SUBSET_FIGURES, *SUBSET_SHEETS)
        return f"Not fitted here: {self._subset}." if fits and self.inputs.agents else ""
