"""The first thing a user sees: the default experiment, through the command that the README names."""

import json
import re

import pandas as pd
import pytest

from tests.conftest import Done, Workspace

NAIVE = ["naive_yes", "naive_no", "naive_na", "naive_zero", "naive_empty"]
REQUIRED = "system model benchmark run_id judge eval_hash task_id template sites execution verification reason score"


@pytest.fixture(scope="module")
def quickstart(shared_workspace: Workspace) -> tuple[Workspace, Done]:
    done = shared_workspace.webassay("run")
    assert done.status == 0, done.output
    return shared_workspace, done


def test_the_oracle_passes_all_and_no_naive_agent_passes_any(quickstart: tuple[Workspace, Done]) -> None:
    table = pd.read_csv(quickstart[0].scores()[0], keep_default_na=False)
    means = table.astype({"score": float}).groupby("system")["score"].mean().to_dict()
    assert means == {"oracle": 1.0} | dict.fromkeys(NAIVE, 0.0)
    assert set(table["verification"]) == {"scored"}
    assert set(REQUIRED.split()) <= set(table.columns)


def test_the_command_prints_the_table_and_where_it_is(quickstart: tuple[Workspace, Done]) -> None:
    workspace, done = quickstart
    summary = next(workspace.folder.glob("results/experiments/quickstart-*/tables/summary.md")).read_text()
    assert summary in done.output
    assert "results/experiments/quickstart-" in done.output
    assert "100.0 (n=14)" in summary and summary.count("0.0 (n=14)") >= len(NAIVE)


def test_an_answer_without_a_visit_fails_for_that_reason_also_where_it_is_right(
    quickstart: tuple[Workspace, Done],
) -> None:
    """ "N/A" is the right response to an unachievable task; only the missing activity gives it away."""
    table = pd.read_csv(quickstart[0].scores()[0], keep_default_na=False)
    row = table[(table["system"] == "naive_na") & (table["template"] == "shop-missing")].iloc[0]
    assert row["score"] == 0 and "shop" in row["reason"]


def test_plain_snakemake_then_has_nothing_to_do(quickstart: tuple[Workspace, Done]) -> None:
    assert quickstart[0].snakemake(profile=None).nothing_to_do


def test_a_trajectory_has_all_its_files_and_a_step_for_each_screenshot(quickstart: tuple[Workspace, Done]) -> None:
    folder = next(quickstart[0].folder.glob("results/runs/oracle-*/*/*/*/0/traj/shop-review-1"))
    names = {path.name for path in folder.iterdir()}
    assert names >= {
        "web_surfer.log",
        "shop-review-1_final_answer.json",
        "times.json",
        "core.log",
        "network.har",
        "state.json",
        "agent_response.json",
        "attempt.json",
        "task_data.json",
        "scores",
    }
    events = [json.loads(line) for line in (folder / "web_surfer.log").read_text().splitlines()]
    answer = json.loads((folder / "shop-review-1_final_answer.json").read_text())
    assert len(answer["screenshots"]) == len(events) - 1  # `terminate` changes nothing to be seen
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in answer["screenshots"])
    attempt = json.loads((folder / "attempt.json").read_text())
    assert attempt["browser"]["version"] and attempt["browser"]["path"]
    assert attempt["blocked"] == [] and attempt["site_errors"] == 0


def test_no_secret_is_in_any_file(quickstart: tuple[Workspace, Done]) -> None:
    """Nor in Snakemake's own state; only the cache repeats what config/ itself says of the seeded accounts."""
    looked = 0
    for path in quickstart[0].folder.rglob("*"):
        if path.is_file() and path.suffix != ".sqlite3" and ".cache" not in path.parts:
            content = path.read_bytes()
            assert b"miniweb-customer" not in content and b"miniweb-staff" not in content, path
            assert not re.search(rb"sessionid=(?!redacted:|;|\\\"\\\";)[a-z0-9]", content), path
            looked += 1
    assert looked > 500
