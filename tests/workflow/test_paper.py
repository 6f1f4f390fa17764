"""The paper's tables by one command, and an experiment's comparison that grows run by run."""

import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import REPO, Done, Workspace
from tests.released import released
from tests.report.latex import check
from tests.workflow.tasks_file import NAMES, record, write
from webassay.config.paths import PAPER_AGENTS, PAPER_FIGURES, PAPER_SHEETS

pytestmark = pytest.mark.slow
SYSTEMS = "system=naive_yes,naive_na benchmark=file benchmark.path=tasks.jsonl benchmark.name=things"


@pytest.fixture(scope="module")
def compared(shared_workspace: Workspace) -> Workspace:
    write(shared_workspace.folder / "tasks.jsonl", [record(name) for name in NAMES])
    done = shared_workspace.snakemake(f"{SYSTEMS} run_id=0,1")
    assert done.status == 0, done.output
    return shared_workspace


def newest(workspace: Workspace, pattern: str) -> Path:
    return max(workspace.folder.glob(f"results/{pattern}"), key=lambda path: path.stat().st_mtime)


def test_two_systems_in_two_runs_give_a_comparison_to_print(compared: Workspace) -> None:
    folder = newest(compared, "experiments/*")
    table = pd.read_csv(folder / "tables" / "comparison.csv")
    assert table[["agent", "attempted", "runs"]].to_numpy().tolist() == [["naive_yes", 8, 2], ["naive_na", 8, 2]]
    assert (folder / "figures" / "paired.png").read_bytes().startswith(b"\x89PNG")
    assert pd.read_csv(folder / "tables" / "headline.csv")["runs"].tolist() == [2, 2, 2, 2]
    check(folder / "report.tex")


def test_one_more_run_is_all_that_runs(compared: Workspace) -> None:
    done = compared.snakemake(f"{SYSTEMS} run_id=0,1,2")
    each = {"tasks": 2, "execute": 2, "retry": 2, "verify": 2, "aggregate": 2}
    assert (done.status, done.jobs) == (0, {**each, "report": 1, "all": 1}), done.output


def test_another_analysis_is_another_report(compared: Workspace) -> None:
    done = compared.snakemake(f"{SYSTEMS} run_id=0,1 analysis.confidence=0.9 analysis.anchor=naive_na")
    assert (done.status, done.jobs) == (0, {"report": 1, "all": 1}), done.output
    done = compared.snakemake(f"{SYSTEMS} run_id=0,1 analysis.anchor=naive_no")
    assert done.status != 0 and "analysis.anchor=naive_no: no such agent; there are naive_yes, naive_na" in done.output


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A folder without sites: the paper needs none."""
    released()  # skips where there is no package index
    return Workspace(tmp_path_factory.mktemp("papers"))


def paper(workspace: Workspace, overrides: str = "") -> Done:
    given = ["--config", f"overrides={overrides}"] if overrides else []
    snakemake = [sys.executable, "-m", "snakemake", "-s", str(REPO / "Snakefile"), "--cores", "2"]
    return workspace.run(*snakemake, "paper", *given)


def test_the_papers_tables_need_the_released_tasks_alone(papers: Workspace) -> None:
    done = paper(papers)
    assert (done.status, done.jobs) == (0, {"fetch": 1, "paper": 1}), done.output
    folder = newest(papers, "paper/*")
    assert {path.stem for path in (folder / "tables").iterdir()} == set(PAPER_SHEETS)
    assert {path.stem for path in (folder / "figures").iterdir()} == set(PAPER_FIGURES)
    assert "**" not in (folder / "tables" / "paper_status.md").read_text()
    check(folder / "paper.tex")
    assert paper(papers).nothing_to_do


def test_outcomes_and_settings_of_the_analysis_run_the_paper_alone(papers: Workspace) -> None:
    every = {"x": 2, "y": 3}
    rows = [f"{agent},{task},{task % n == 0:d},{task % 9}" for agent, n in every.items() for task in range(60)]
    (papers.folder / "outcomes.csv").write_text("\n".join(["agent,task_id,success,num_steps", *rows]) + "\n")
    done = paper(papers, "analysis.outcomes=outcomes.csv")
    assert (done.status, done.jobs) == (0, {"paper": 1}), done.output
    folder = newest(papers, "paper/*")
    assert {path.stem for path in (folder / "tables").iterdir()} == {*PAPER_SHEETS, *PAPER_AGENTS}
    assert {path.stem for path in (folder / "figures").iterdir()} == set(PAPER_FIGURES)
    check(folder / "paper.tex")
    assert paper(papers, "analysis.outcomes=outcomes.csv").nothing_to_do
    assert paper(papers, "analysis.outcomes=outcomes.csv analysis.confidence=0.9").jobs == {"paper": 1}


@pytest.mark.parametrize(
    "overrides, message",
    [
        ("analysis.outcomes=gone.csv", "analysis.outcomes: there is no file gone.csv"),
        ("analysis.ungraded=maybe", "analysis.ungraded=maybe: must be failed or left_out"),
        ("analysis.outcomes=outcomes.csv analysis.anchor=z", "analysis.anchor=z: no such agent; there are x, y"),
        ("analysis.outcomes=broken.csv", "broken.csv: no column agent, task_id, success"),
    ],
)
def test_a_mistake_is_told_and_leaves_nothing(papers: Workspace, overrides: str, message: str) -> None:
    (papers.folder / "broken.csv").write_text("a,b\n1,2\n")
    done = paper(papers, overrides)
    assert done.status != 0 and message in done.output
    assert "Traceback" not in done.output
