"""Folders of trajectories that stand in each other's way, or in the way of whoever judges them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.webeval_runs import ANSWERS, record, write_runs, write_tasks, write_trajectory
from webassay.cli import main
from webassay.core.processes import child_environment
from webassay.judges.verify.report import COLUMNS

BENCHMARK = ("--benchmark", "file", "--set", "benchmark.path=tasks.jsonl", "--set", "benchmark.name=mine")
RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
"""Without these even root reads only what it may."""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_tasks(tmp_path / "tasks.jsonl")
    write_runs(tmp_path / "runs")
    return Path("runs")


def verify(*words: str, benchmark: tuple[str, ...] = BENCHMARK) -> int:
    return main(["verify", "--judge", "webarena", *benchmark, *words])


def report(path: Path = Path("runs/verify_report.jsonl")) -> dict[str, dict[str, Any]]:
    return {row["traj_dir"]: row for row in map(json.loads, path.read_text().splitlines())}


def test_each_trajectory_has_one_place_elsewhere_by_whatever_path_it_is_found(runs: Path) -> None:
    write_trajectory(runs / "b", "right", "41")
    for path in ("runs/a", "runs/b", "runs/a/right", "runs"):
        verify(path, "--scores-dir", "elsewhere", "--report", "report.jsonl")
    rows = report(Path("report.jsonl"))
    assert {name: (row["status"], row["score"]) for name, row in rows.items() if row["task_id"] == "right"} == {
        "runs/a/right": ("cached", 1.0),
        "runs/b/right": ("cached", 0.0),
    }


@pytest.mark.parametrize("broken", ["{", "[" * 20_000])
def test_a_broken_task_is_the_error_of_one_trajectory(
    runs: Path, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (runs / "a" / "right" / "task_data.json").write_text(json.dumps(record("right")))
    (runs / "a" / "wrong" / "task_data.json").write_text(broken)
    assert verify("runs", benchmark=()) == 1
    rows = report()
    assert rows["runs/a/right"]["score"] == 1.0 and rows["runs/a/wrong"]["status"] == "error"
    assert "webassay: runs/a/wrong/task_data.json: not valid JSON" in capsys.readouterr().err
    assert rows["runs/a/late"]["status"] == "no_task_data"
    assert all(row.keys() >= set(COLUMNS) for row in rows.values())


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="root reads everything")
@pytest.mark.parametrize(
    "path, mode, status, said",
    [
        ("a/right", 0o000, 1, "runs/a/right: Permission denied; give yourself the right to read it"),
        ("a/right/attempt.json", 0o000, 1, "runs/a/right/attempt.json: Permission denied; give yourself"),
        ("a/right/web_surfer.log", 0o000, 1, "runs/a/right/web_surfer.log: Permission denied; give yourself"),
        ("a/right/scores", 0o555, 2, "runs/a/right/scores: no scores can be written there; --scores-dir DIR"),
        (".", 0o555, 2, "runs/verify_report.jsonl: Permission denied; --report FILE"),
    ],
)
def test_rights_that_are_missing_are_told(runs: Path, path: str, mode: int, status: int, said: str) -> None:
    (runs / path).touch()
    (runs / path).chmod(mode)
    words = [*(RIGHTS if os.geteuid() == 0 else ()), sys.executable, "-m", "webassay.cli", "verify", "runs"]
    words += ["--judge", "webarena", *BENCHMARK]
    try:
        done = subprocess.run(words, env=child_environment(), capture_output=True, text=True, check=False)
    finally:
        (runs / path).chmod(0o755)
    assert done.returncode == status and said in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and "changes" not in done.stderr


def test_where_neither_scores_nor_report_can_be_written_the_scores_come_first(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(runs / "a" / "right" / "scores")
    (runs / "a" / "right" / "scores").write_text("a file where a folder should be")
    (runs / "verify_report.jsonl").mkdir()
    assert verify("runs") == 2
    assert "--scores-dir DIR puts them elsewhere" in capsys.readouterr().err


def test_a_report_keeps_what_others_wrote(runs: Path) -> None:
    theirs = json.dumps({"task_id": "t", "traj_dir": "elsewhere/t", "status": "ok"})
    (runs / "verify_report.jsonl").write_text(f"{theirs}\n{{cut short\n")
    verify("runs")
    verify("runs", "--judge", "verified", "--limit", "2")
    verify("runs", "--limit", "1")
    lines = (runs / "verify_report.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines if line not in (theirs, "{cut short")]
    assert {theirs, "{cut short"} < set(lines) and len(rows) == len(ANSWERS) + 2 + 2
    assert len({(row["traj_dir"], row["eval_hash"]) for row in rows}) == len(rows)


def test_screenshots_that_nobody_can_see_are_named(runs: Path) -> None:
    listed = ["screenshot0.png", "screenshot1.png", "screenshot2.png"]
    (runs / "a" / "right" / "screenshot1.png").write_text("no picture")
    (runs / "a" / "right" / "right_final_answer.json").write_text(
        json.dumps({"final_answer": "42", "screenshots": listed})
    )
    verify("runs/a")
    rows = report(Path("runs/a/verify_report.jsonl"))
    assert rows["runs/a/right"]["unseen"] == listed[1:] and rows["runs/a/wrong"]["unseen"] == []
    assert rows["runs/a/right"]["score"] == 1.0


def test_whoever_reads_may_stop_reading(runs: Path) -> None:
    command = f"{sys.executable} -m webassay.cli verify runs/a/wrong --judge webarena | true"
    done = subprocess.run(["bash", "-c", command], env=child_environment(), capture_output=True, text=True, check=False)
    assert "BrokenPipe" not in done.stderr, done.stderr
