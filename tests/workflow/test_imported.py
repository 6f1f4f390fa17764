"""Runs made elsewhere go through the workflow like our own, and nothing of them is carried out again."""

import json
from pathlib import Path

import pandas as pd

from tests.conftest import Workspace
from tests.webeval_runs import write_runs, write_tasks

RUN = (
    "system=imported system.path=runs system.name=fara benchmark=file benchmark.path=tasks.jsonl benchmark.name=mine "
    "environment=webarena judge=webarena"
)


def test_an_imported_run_stands_in_the_tables(workspace: Workspace) -> None:
    write_tasks(workspace.folder / "tasks.jsonl")
    runs = write_runs(workspace.folder / "runs")
    (runs / "a" / "right" / "secret.png").symlink_to("/etc/hostname")
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("*")}
    done = workspace.snakemake(RUN)
    assert done.status == 0 and done.jobs["execute"] == 1, done.output
    rows = _scores(workspace).set_index("task_id")
    assert dict(rows["score"].dropna()) == {"right": 1, "wrong": 0, "late": 0, "idle": 0, "unfinished": 0}
    assert dict(rows["execution"][rows["score"].isna()]) == dict.fromkeys(("aborted", "broken", "never-run"), "aborted")
    assert rows.loc["never-run", "reason"] == "aborted: no trajectory of this task in runs"
    assert "web_surfer.log, line 3" in rows.loc["broken", "reason"]
    home = next(workspace.folder.glob("results/runs/fara-*/*/*/*/*/traj/right"))
    assert json.loads((home / "attempt.json").read_text())["outcome"] == "answered"
    assert (home / "screenshot0.png").is_file() and not (home / "secret.png").exists()
    assert not list(home.parent.glob("*/attempts")) and {p: p.stat().st_mtime_ns for p in runs.rglob("*")} == before

    assert workspace.snakemake(RUN).nothing_to_do
    (runs / "a" / "wrong" / "wrong_final_answer.json").write_text('{"final_answer": "42"}')
    assert workspace.snakemake(RUN).status == 0
    assert {int(table["score"].sum()) for table in map(_read, workspace.scores())} == {1, 2}


def _scores(workspace: Workspace) -> pd.DataFrame:
    (path,) = workspace.scores()
    return _read(path)


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype={"task_id": str})


def test_a_folder_that_is_not_there_is_told(workspace: Workspace) -> None:
    write_tasks(workspace.folder / "tasks.jsonl")
    done = workspace.snakemake(RUN)
    assert done.status == 1 and "runs: no such folder" in done.output
