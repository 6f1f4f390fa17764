"""An experiment's own runs on WebArena's tasks, beside what others published."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.paths import PaperPlan, RunPlan
from webassay.core.files import write_text
from webassay.errors import ConfigError, DatasetError
from webassay.report.paper.inputs import ORIGINAL, _from_memory, _together, own_agents
from webassay.report.tables import COLUMNS, to_csv

RUNS = ["benchmark=webarena_verified", "system=naive_na", "run_id=0,1", "judge=webarena,verified"]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PaperPlan]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("own"))
        found = plan_experiment("single", RUNS).paper
        for each in found.runs:
            write_scores(each)
        yield found


def write_scores(plan: RunPlan) -> None:
    """The first task is passed, the second was aborted, and only the first left a log, of two steps."""
    row = plan.columns | {"template": "7", "sites": "map", "execution": "answered", "parse_failure": False}
    rows = [row | {"task_id": "7", "score": 1.0}, row | {"task_id": "8", "score": None, "execution": "aborted"}]
    write_text(plan.scores, to_csv(pd.DataFrame(rows, columns=COLUMNS)))
    log = plan.folder / "traj" / "7" / "web_surfer.log"
    write_text(log, '{"action": "click", "arguments": {}}\n{"action": "terminate", "arguments": {}}\n')
    write_text(log.with_name("7_final_answer.json"), '{"final_answer": "x", "is_aborted": false}')


def test_runs_of_a_system_go_together_under_each_judge(plan: PaperPlan) -> None:
    found = own_agents(plan, "failed")
    assert {judge: list(agents) for judge, agents in found.items()} == {
        "webarena": ["naive_na"],
        "verified": ["naive_na"],
    }
    rows = found["verified"]["naive_na"]
    assert (rows["run_id"].nunique(), rows["score"].tolist()) == (2, [1, 0, 1, 0])
    assert rows["steps"].tolist()[0] == 2 and rows["steps"].isna().tolist() == [False, True, False, True]
    left_out = own_agents(plan, "left_out")["verified"]["naive_na"]
    assert left_out["score"].isna().tolist() == [False, True, False, True]


def test_an_agent_that_asks_a_model_without_a_look_is_known_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    systems = "system=naive_na,knowledge_only"
    paper = plan_experiment("single", ["benchmark=webarena_verified", systems, "model=smollm2", "judge=webarena"]).paper
    for each in paper.runs:
        write_scores(each)
    agents = own_agents(paper, "failed")[ORIGINAL]
    assert _from_memory(paper, agents) == {"knowledge_only": frozenset({"7"})}


def test_runs_on_other_tasks_are_not_the_papers() -> None:
    assert plan_experiment("single", ["system=oracle"]).paper.runs == ()


def test_two_agents_of_one_name_are_refused(tmp_path: Path) -> None:
    rows = pd.DataFrame({"task_id": ["1"]})
    with pytest.raises(DatasetError, match=r"o\.csv: agent 'x' has the name of a run of this experiment"):
        _together(tmp_path / "o.csv", {"x": rows}, {"x": rows})


@pytest.mark.parametrize(
    "override, message",
    [
        ("analysis.outcomes=gone.csv", r"analysis\.outcomes: there is no file gone\.csv"),
        ("analysis.ungraded=maybe", "must be failed or left_out"),
        ("analysis.tasks=null", "the paper's tables need a dataset"),
    ],
)
def test_a_mistake_in_the_analysis_is_told_at_planning(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan_experiment("single", [override])


def test_the_paper_moves_with_what_it_is_made_of(plan: PaperPlan, tmp_path: Path) -> None:
    outcomes = tmp_path / "a.csv"
    outcomes.write_text("agent,task_id,success\nx,1,1\n")
    folders = [plan_experiment("single", words).paper.folder for words in (
        [], ["system=oracle"], ["analysis.confidence=0.9"], [f"analysis.outcomes={outcomes}"])]  # fmt: skip
    assert folders[0] == folders[1] and len({*folders, plan.folder}) == 4
