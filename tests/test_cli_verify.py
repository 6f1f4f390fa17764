"""`webassay verify` as a user runs it, over folders of trajectories from anywhere."""

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.benchmarks.offline_logs import make_logs
from tests.conftest import Done, Workspace
from tests.released import released
from tests.webeval_runs import ANSWERS, record, write_runs, write_tasks


@pytest.fixture
def runs(workspace: Workspace) -> Path:
    write_tasks(workspace.folder / "tasks.jsonl")
    return write_runs(workspace.folder / "runs")


def verify(workspace: Workspace, *words: str, benchmark: bool = True) -> Done:
    known = ("--benchmark", "file", "--set", "benchmark.path=tasks.jsonl", "--set", "benchmark.name=mine")
    return workspace.webassay("verify", "runs", "--judge", "webarena", *(known if benchmark else ()), *words)


def report(path: Path) -> dict[str, dict[str, Any]]:
    rows = map(json.loads, path.read_text().splitlines())
    return {row["task_id"]: row for row in rows}


def snapshot(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_trajectory_gets_what_a_run_would_give_it(workspace: Workspace, runs: Path) -> None:
    before = snapshot(runs)
    done = verify(workspace)
    assert done.status == 1, done.output
    rows = report(runs / "verify_report.jsonl")
    assert {name: (row["status"], row.get("score")) for name, row in rows.items()} == {
        "right": ("ok", 1.0),
        "wrong": ("ok", 0.0),
        "late": ("ok", 0.0),
        "idle": ("no_actions", 0.0),
        "unfinished": ("ok", 0.0),
        "broken": ("trajectory_unreadable", None),
        "aborted": ("aborted", None),
        "stranger": ("no_task_data", None),
    }
    assert rows["late"]["reason"] == "over budget: no answer" and rows["late"]["verification"] == "auto_zero"
    assert "web_surfer.log, line 3" in rows["broken"]["error"] and "web_surfer.log, line 3" in done.output
    assert done.output.count("runs/a/broken") == 1
    assert "success, all: 14.3 % of 7" in done.output and "success, graded: 20.0 % of 5" in done.output
    assert before.items() <= snapshot(runs).items()
    new = {name.partition("webarena-")[0] for name in snapshot(runs).keys() - before.keys()}
    assert new == {
        "verify_report.jsonl",
        *(f"a/{name}/scores/" for name in ANSWERS if name != "broken"),
        "b/deep/aborted/scores/",
    }
    score = json.loads(Path(workspace.folder / rows["right"]["score_path"]).read_text())
    assert score.keys() == {"score", "gpt_response_text"}


def test_what_was_judged_stands_until_it_changes(workspace: Workspace, runs: Path) -> None:
    verify(workspace)
    scores = snapshot(runs / "a" / "right")
    verify(workspace)
    assert report(runs / "verify_report.jsonl")["right"]["status"] == "cached"
    assert snapshot(runs / "a" / "right") == scores
    (runs / "a" / "right" / "right_final_answer.json").write_text('{"final_answer": "40"}')
    verify(workspace)
    assert report(runs / "verify_report.jsonl")["right"]["score"] == 0.0
    cut = next((runs / "a" / "wrong" / "scores").glob("webarena-????????.json"))
    cut.write_text('{"sco')
    verify(workspace)
    assert report(runs / "verify_report.jsonl")["wrong"]["status"] == "ok" and json.loads(cut.read_text())["score"] == 0


def test_the_task_may_lie_beside_its_trajectory(workspace: Workspace, runs: Path) -> None:
    (runs / "a" / "right" / "task_data.json").write_text(json.dumps(record("right")))
    done = verify(workspace, benchmark=False)
    rows = report(runs / "verify_report.jsonl")
    assert rows["right"]["score"] == 1.0 and rows["wrong"]["status"] == "no_task_data", done.output


def test_a_folder_that_stays_as_it_is(workspace: Workspace, runs: Path) -> None:
    before = snapshot(runs)
    for path in [runs, *runs.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        done = verify(workspace, "--scores-dir", "elsewhere")
        assert snapshot(runs) == before
    finally:
        for path in [runs, *runs.rglob("*")]:
            path.chmod(0o755)
    assert report(workspace.folder / "elsewhere" / "verify_report.jsonl")["right"]["score"] == 1.0, done.output
    (place,) = (workspace.folder / "elsewhere").glob("right-*")
    (sidecar,) = place.glob("*.meta.json")
    assert len(list(place.iterdir())) == 2
    assert json.loads(sidecar.read_text())["trajectory"] == str(runs / "a" / "right")


def test_where_no_scores_can_be_written_the_way_out_is_told(workspace: Workspace, runs: Path) -> None:
    home = runs / "b" / "right"
    (runs / "a" / "right").rename(home)
    shutil.rmtree(home / "scores")
    (home / "scores").write_text("a file where a folder should be")
    done = verify(workspace)
    assert done.status == 2 and "--scores-dir" in done.output


def test_two_at_once_do_each_trajectory_once(workspace: Workspace, runs: Path) -> None:
    words = [sys.executable, "-m", "webassay.cli", "verify", "runs", "--judge", "webarena", "--benchmark", "file"]
    words += ["--set", "benchmark.path=tasks.jsonl", "--set", "benchmark.name=mine", "--report"]
    two = [workspace.start(*words, f"r{n}.jsonl") for n in range(2)]
    assert [process.wait(120) for process in two] == [1, 1]
    found = [report(workspace.folder / f"r{n}.jsonl") for n in range(2)]
    assert {rows["right"]["score"] for rows in found} == {1.0}
    assert {row["status"] for rows in found for row in rows.values()} >= {"ok", "cached"}
    assert not list(runs.rglob("superseded")) and not list(runs.rglob(".*"))


@pytest.mark.parametrize(
    "words, said",
    [
        (["nowhere"], "nowhere: no such folder"),
        (["empty"], "empty: no trajectory there"),
        (["runs", "--judge", "verifed"], "did you mean verified?"),
        (["runs", "--set", "judge.profil=x"], "did you mean"),
        (["runs", "--set", "judge=webarena,verified"], "one judge at a time"),
        (["runs", "extra", "--nonsense"], "unrecognized arguments"),
        (["runs", "--limit", "-1"], "'-1' is not a whole number above 0"),
        (["runs", "--limit", "0"], "'0' is not a whole number above 0"),
    ],
)
def test_a_mistake_is_told(workspace: Workspace, runs: Path, words: list[str], said: str) -> None:
    (workspace.folder / "empty").mkdir()
    done = workspace.webassay("verify", *words)
    assert done.status == 2 and said in done.output, done.output


def test_limit(workspace: Workspace, runs: Path) -> None:
    verify(workspace, "--limit", "2")
    assert list(report(runs / "verify_report.jsonl")) == ["broken", "idle"]


def test_logs_of_webarena_verified_are_judged_after_an_import_as_before_it(workspace: Workspace) -> None:
    make_logs(workspace.folder / "logs")
    known = ("--dataset", str(released() / "webarena-verified.json"), "--tasks", "0,1,132,133")
    workspace.webassay("score", "logs", *known)
    scored = pd.read_csv(workspace.folder / "logs" / "scores.csv", dtype={"task_id": str})
    workspace.webassay("import", "--format", "webarena_verified", "logs", "imported")
    path = f"benchmark.path={known[1]}"
    done = workspace.webassay("verify", "imported", "--benchmark", "webarena_verified", "--set", path)
    rows = report(workspace.folder / "imported" / "verify_report.jsonl")
    assert {name: row["score"] for name, row in rows.items()} == dict(
        zip(scored["task_id"], scored["score"], strict=True)
    ), done
