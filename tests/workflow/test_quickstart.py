"""The first thing a user sees: the smoke experiment, from nothing, and in `make test-all` the default one."""

import json
import re
import sys

import pandas as pd
import pytest

from tests.conftest import Done, Workspace
from webassay.stats.success import template_macro
from webassay.systems.noisy_oracle import NoisyOracle

NAIVE = ["naive_yes", "naive_na"]
REQUIRED = "system model benchmark run_id judge eval_hash task_id template sites execution verification reason score"


@pytest.fixture(scope="module")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Done]:
    """In an empty folder, so that the sites are built too."""
    workspace = Workspace(tmp_path_factory.mktemp("empty"))
    done = workspace.webassay("run", "experiment=smoke")
    assert done.status == 0, done.output
    return workspace, done


def scores(workspace: Workspace, experiment: str) -> pd.DataFrame:
    table = pd.read_csv(workspace.scores(experiment)[0], keep_default_na=False)
    assert set(REQUIRED.split()) <= set(table.columns)
    return table.astype({"score": float})


def test_no_naive_agent_passes_but_under_the_original_harness(smoke: tuple[Workspace, Done]) -> None:
    table = scores(smoke[0], "smoke")
    assert set(table["verification"]) == {"scored"}
    means = table.groupby(["system", "judge"])["score"].mean().to_dict()
    assert means.pop(("naive_na", "webarena")) > 0
    assert means.pop(("naive_yes", "webarena")) == 0
    expected = {("oracle", judge): 1.0 for judge in ("webarena", "verified")} | {
        (each, "verified"): 0 for each in NAIVE
    }
    assert means == expected


def test_the_command_prints_the_tables_and_where_they_are(smoke: tuple[Workspace, Done]) -> None:
    workspace, done = smoke
    for name in ("summary", "judges", "ensembles"):
        assert next(workspace.folder.glob(f"results/experiments/smoke-*/tables/{name}.md")).read_text() in done.output
    assert "results/experiments/smoke-" in done.output
    assert "100.0 (n=8)" in done.output and "0 of 8 (0.0 %)" in done.output


def test_an_answer_without_a_visit_fails_for_that_reason_also_where_it_is_right(smoke: tuple[Workspace, Done]) -> None:
    """ "N/A" is the right response to an unachievable task; only the missing activity gives it away."""
    table = scores(smoke[0], "smoke")
    row = table[(table["system"] == "naive_na") & (table["template"] == "shop-missing")].set_index("judge")
    assert row.loc["webarena", "score"] == 1
    assert row.loc["verified", "score"] == 0 and row.loc["verified", "reason"].startswith("no request GET ('__SHOP__")


def test_plain_snakemake_then_has_nothing_to_do(smoke: tuple[Workspace, Done]) -> None:
    assert smoke[0].snakemake(experiment="smoke", profile=None).nothing_to_do


def test_a_trajectory_has_all_its_files_and_a_step_for_each_screenshot(smoke: tuple[Workspace, Done]) -> None:
    folder = next(smoke[0].folder.glob("results/runs/oracle-*/*/*/*/0/traj/shop-review-1"))
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


def test_no_secret_is_in_any_file(smoke: tuple[Workspace, Done]) -> None:
    """Nor in Snakemake's own state; only the cache repeats what config/ itself says of the seeded accounts."""
    looked = 0
    for path in smoke[0].folder.rglob("*"):
        if path.is_file() and path.suffix != ".sqlite3" and ".cache" not in path.parts:
            content = path.read_bytes()
            assert b"miniweb-customer" not in content and b"miniweb-staff" not in content, path
            assert not re.search(rb"sessionid=(?!redacted:|;|\\\"\\\";)[a-z0-9]", content), path
            looked += 1
    assert looked > 500


@pytest.mark.slow
def test_the_quickstart_shows_the_papers_claim(workspace: Workspace) -> None:
    """The oracle passes all tasks, naive agents some under the original harness alone, the noisy oracle its share."""
    done = workspace.run(sys.executable, "-m", "webassay.cli", "run", timeout=3600)
    assert done.status == 0, done.output
    table = scores(workspace, "quickstart")
    assert set(table["verification"]) <= {"scored", "auto_zero"}
    passed = table.groupby(["system", "judge"])["score"].mean().unstack()
    assert (passed.loc["oracle"] == 1).all()
    naive = passed[passed.index.str.startswith("naive_")]
    assert len(naive) == 9 and (naive["verified"] == 0).all() and naive["webarena"].max() > 0.1
    noisy = table[(table["system"] == "noisy_oracle") & (table["judge"] == "verified")]
    wrong = noisy["task_id"].map(NoisyOracle().goes_wrong)
    assert (noisy["score"] == 0).tolist() == wrong.tolist()
    macro = template_macro(noisy, 0.95)
    assert abs(macro.mean - (1 - NoisyOracle().rate)) < macro.half_width
