"""All tables and figures of an experiment, from its scores and from what its trajectories tell besides."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from webassay.config.paths import ExperimentPlan
from webassay.core.files import write_text
from webassay.core.task import read_tasks
from webassay.report.agents import Comparison
from webassay.report.agents_table import comparisons_sheet
from webassay.report.breakdown import sites_sheet, templates_sheet
from webassay.report.comparison import ensembles_sheet, judges_sheet
from webassay.report.drawing import save
from webassay.report.facts import RunFacts, failures_sheet, usage_sheet
from webassay.report.figures import paired_figure
from webassay.report.headline import headline_sheet
from webassay.report.health.tables import cost_sheet, health_sheet
from webassay.report.judge_pairs import judge_pairs_sheet
from webassay.report.sheet import Sheet, document
from webassay.report.systems import system_comparisons
from webassay.report.tables import SUMMARY_NOTE, readable, summarize

CAPTIONS = {"paired": "Systems beside an anchor: paired differences over templates"}


@dataclass(frozen=True)
class Numbers:
    """Everything that is counted, once; files and the site show the same."""

    experiment: ExperimentPlan
    scores: pd.DataFrame
    facts: RunFacts
    labels: Mapping[str, str]
    """Run -> what people call it."""

    @cached_property
    def comparisons(self) -> dict[str, Comparison]:
        return system_comparisons(self.experiment, self.scores)

    @cached_property
    def summary(self) -> pd.DataFrame:
        return summarize(self.experiment, self.scores)

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        return {name: self._sheet(name) for name in self.experiment.sheets}

    def write(self) -> None:
        """The tables and figures that the plan lists, and a document that holds them."""
        folder = self.experiment.folder
        for sheet in self.sheets.values():
            sheet.write(folder / "tables")
        if "paired" in self.experiment.figures:
            save(paired_figure(self.comparisons), folder / "figures", "paired")
        figures = {name: CAPTIONS[name] for name in self.experiment.figures}
        write_text(folder / "report.tex", document(self.experiment.name, self.sheets, figures))

    def _sheet(self, name: str) -> Sheet:
        experiment, scores, facts, labels = self.experiment, self.scores, self.facts, self.labels
        match name:
            case "summary":
                shown = readable(self.summary, experiment.runs[0].config["analysis"]["confidence"])
                return Sheet("summary", experiment.name, self.summary, shown.astype(str), SUMMARY_NOTE)
            case "judges":
                return judges_sheet(experiment, scores)
            case "ensembles":
                return ensembles_sheet(experiment, scores)
            case "comparison":
                title = f"{experiment.name}: systems"
                return comparisons_sheet(name, title, self.comparisons, "tasks and judge")
            case "headline":
                return headline_sheet(experiment, scores, _levels(experiment))
            case "sites":
                return sites_sheet(experiment, scores, labels)
            case "templates":
                return templates_sheet(experiment, scores, labels)
            case "judge_pairs":
                return judge_pairs_sheet(experiment, scores)
            case "judge_health":
                return health_sheet(experiment)
            case "judge_cost":
                return cost_sheet(experiment)
            case "failures":
                return failures_sheet(scores, facts, labels)
            case "usage":
                return usage_sheet(experiment, facts, labels)
        raise AssertionError(f"no sheet {name}")


def _levels(experiment: ExperimentPlan) -> dict[str, dict[str, str]]:
    """Scores know no difficulty; the run's own list of tasks does."""
    return {
        run: {task.task_id: task.difficulty or "" for task in read_tasks(plan.folder / "tasks.jsonl")}
        for run, plan in experiment.by_run.items()
        if (plan.folder / "tasks.jsonl").is_file()
    }
