"""What a change makes Snakemake do, counted in real runs: one story, told in order in one folder."""

import pandas as pd
import pytest

from tests.conftest import Workspace
from tests.workflow.tasks_file import NAMES, record, write

BASE = "system=naive_yes benchmark=file benchmark.path=tasks.jsonl benchmark.name=things"


@pytest.fixture(scope="module")
def things(shared_workspace: Workspace) -> Workspace:
    write(shared_workspace.folder / "tasks.jsonl", [record(name) for name in NAMES])
    done = shared_workspace.snakemake(BASE)
    assert done.status == 0, done.output
    assert len(shared_workspace.starts()) == len(NAMES)
    return shared_workspace


def steps(workspace: Workspace, overrides: str) -> tuple[dict[str, int], int, int]:
    """Jobs by rule, attempts made, trajectories judged by one invocation."""
    attempts, judged = workspace.starts(), workspace.judged()
    done = workspace.snakemake(f"{BASE} {overrides}")
    assert done.status == 0, done.output
    again = set(workspace.starts()) - set(attempts)
    assert set(attempts) <= set(workspace.starts()), "a finished attempt is gone"
    return done.jobs, len(again), len(workspace.judged() - judged)


def test_the_same_command_again_has_nothing_to_do(things: Workspace) -> None:
    assert things.snakemake(BASE).nothing_to_do


def test_a_changed_judge_reruns_only_judging_and_what_follows(things: Workspace) -> None:
    jobs, executed, judged = steps(things, "judge.name=strict")
    assert jobs == {"verify": 1, "aggregate": 1, "report": 1, "all": 1}
    assert (executed, judged) == (0, len(NAMES))


def test_the_old_judge_again_has_nothing_to_do(things: Workspace) -> None:
    assert things.snakemake(BASE).nothing_to_do


def test_runtime_settings_move_nothing(things: Workspace) -> None:
    assert things.snakemake(f"{BASE} execution.workers=1 environment.start_timeout=9 model.timeout=1").nothing_to_do


def test_another_number_of_shards_has_nothing_to_do(things: Workspace) -> None:
    assert things.snakemake(f"{BASE} execution.shards=5").nothing_to_do
    assert things.snakemake(BASE).nothing_to_do


def test_without_the_profile_other_shards_find_all_tasks_done(things: Workspace) -> None:
    """Snakemake's own triggers see other input files: jobs start, and find every task executed and judged."""
    for shards in (5, 1):
        attempts, judged = things.starts(), things.judged()
        done = things.snakemake(f"{BASE} execution.shards={shards}", profile=None)
        assert done.status == 0, done.output
        assert (things.starts(), things.judged()) == (attempts, judged)


def test_one_task_added_is_one_execution(things: Workspace) -> None:
    write(things.folder / "tasks.jsonl", [record(name) for name in (*NAMES, "five")])
    _, executed, judged = steps(things, "")
    assert (executed, judged) == (1, 1)


def test_a_task_taken_away_and_other_shards_at_once_are_both_seen(things: Workspace) -> None:
    """The profile ignores other input files, so that the number of shards alone is no reason to run."""
    write(things.folder / "tasks.jsonl", [record(name) for name in NAMES])
    jobs, executed, judged = steps(things, "execution.shards=3")
    assert (jobs["execute"], executed, judged) == (3, 0, 0)
    newest = max(things.scores(), key=lambda path: path.stat().st_mtime)
    assert len(newest.read_text().splitlines()) == 1 + len(NAMES)


def test_one_task_reworded_is_one_execution_and_the_old_wording_comes_back(things: Workspace) -> None:
    changed = [record(name, "Another wording." if name == "two" else record(name)["intent"]) for name in NAMES]
    write(things.folder / "tasks.jsonl", changed)
    assert steps(things, "")[1:] == (1, 1)
    write(things.folder / "tasks.jsonl", [record(name) for name in NAMES])
    assert steps(things, "")[1:] == (0, 0)


def test_a_mended_answer_is_judged_again_but_not_executed(things: Workspace) -> None:
    records = [record(name) for name in NAMES]
    records[0]["eval"][0]["expected"]["retrieved_data"] = ["yes"]
    write(things.folder / "tasks.jsonl", records)
    assert steps(things, "")[1:] == (0, 1)


def test_a_sweep_of_two_by_two_is_four_runs(things: Workspace) -> None:
    done = things.snakemake(f"{BASE} system=naive_yes,naive_no run_id=7,8", "--dry-run")
    assert done.jobs["execute"] == 4


def test_an_analysis_is_made_on_demand_and_once(things: Workspace) -> None:
    write(things.folder / "tasks.jsonl", [record(name) for name in NAMES])
    assert things.snakemake(BASE).status == 0
    done = things.snakemake(BASE, "analyze")
    assert done.jobs == {"analyze": 1}, done.output
    (made,) = things.folder.glob("results/experiments/single-*/analysis")
    lines = pd.read_csv(made / "trajectories.csv", dtype=str)
    assert sorted(lines["task_id"]) == sorted(NAMES)  # `five` is in the folder, and in no plan any more
    assert {path.suffix for path in (made / "figures").iterdir()} == {".pdf", ".png"}
    assert things.snakemake(BASE, "analyze").nothing_to_do
