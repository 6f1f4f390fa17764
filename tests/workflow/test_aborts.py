"""Real faults: browsers killed, sites gone, disks full. None of them may count against the agent."""

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import Workspace

BASE = "benchmark.select.tasks=[shop-price-1,shop-price-2,shop-address-1,admin-order-total-1]"
TASKS = 4


@pytest.fixture(scope="module")
def chaos(shared_workspace: Workspace) -> Workspace:
    """With no retries at first, so that the aborted state itself can be looked at."""
    done = shared_workspace.snakemake(f"{BASE} execution.max_error_task_retries=0", experiment="chaos")
    assert done.status == 0, done.output
    return shared_workspace


def scores(workspace: Workspace) -> pd.DataFrame:
    return pd.read_csv(workspace.scores("chaos")[0])


def trajectories(workspace: Workspace) -> list[Path]:
    return sorted(workspace.folder.glob("results/runs/*/*/*/*/0/traj/*"))


def test_an_abort_is_ungraded_and_never_zero(chaos: Workspace) -> None:
    table = scores(chaos)
    assert list(table["execution"]) == ["aborted"] * TASKS
    assert list(table["verification"]) == ["ungraded"] * TASKS
    assert table["score"].isna().all()
    assert not list(chaos.folder.glob("results/runs/**/scores/verified_paper-????????.json"))


def test_an_aborted_trajectory_says_why_and_has_no_network_evidence(chaos: Workspace) -> None:
    for folder in trajectories(chaos):
        answer = json.loads(next(folder.glob("*_final_answer.json")).read_text())
        assert answer["is_aborted"] and answer["final_answer"] == "<no_answer>"
        assert json.loads((folder / "attempt.json").read_text())["reason"]
        assert not (folder / "network.har").exists()


def test_more_retries_run_only_the_aborted_tasks_until_all_are_scored(chaos: Workspace) -> None:
    before = len(chaos.starts())
    done = chaos.snakemake(f"{BASE} execution.max_error_task_retries=2", experiment="chaos")
    assert done.status == 0, done.output
    assert done.jobs == {"retry": 1, "verify": 1, "aggregate": 1, "report": 1, "all": 1}
    assert len(chaos.starts()) == before + TASKS
    assert list(scores(chaos)["score"]) == [1.0] * TASKS


def test_each_earlier_attempt_is_kept_whole_with_its_reason(chaos: Workspace) -> None:
    """Runs after the retries."""
    for folder in trajectories(chaos):
        kept = folder / "attempts" / "0"
        assert {"times.json", "core.log", "web_surfer.log", "attempt.json"} <= {path.name for path in kept.iterdir()}
        assert json.loads((kept / "attempt.json").read_text())["outcome"] == "aborted"


def test_still_more_retries_have_no_task_left(chaos: Workspace) -> None:
    attempts = chaos.starts()
    assert chaos.snakemake(f"{BASE} execution.max_error_task_retries=5", experiment="chaos").status == 0
    assert chaos.starts() == attempts
