"""`webassay analyze`: what it prints, writes and refuses."""

from pathlib import Path

import pandas as pd
import pytest

from tests.report.analysis.folders import make, step
from webassay.cli import main

TABLES = ["averages", "budgets", "steps", "times", "tokens", "errors", "refusals"]


@pytest.fixture
def traj(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(2):
        events = [step(second, "left_click") for second in range(1 + number)]
        make(tmp_path / "traj" / f"t{number}", events, scores={"j": 1, "k": 0}, seconds=2)
    return tmp_path / "traj"


def test_tables_are_printed_and_files_written(traj: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(traj), "--out", "out"]) == 0
    said = capsys.readouterr()
    assert "# Averages" in said.out and "1.500 ± 0.500" not in said.out and "1.5 ± 0.5 (n=2)" in said.out
    assert "All of it: out (2 trajectories)" in said.out and said.err == ""
    files = {path.relative_to("out").as_posix() for path in Path("out").rglob("*.*")}
    assert files >= {f"{name}.{form}" for name in TABLES for form in ("csv", "md")}
    assert {"trajectories.csv", "figures/steps.pdf", "figures/budgets.png", "figures/errors.png"} <= files


def test_without_out_files_are_among_the_results_and_the_evidence_is_left_alone(traj: Path) -> None:
    before = sorted(traj.rglob("*"))
    assert main(["analyze", str(traj)]) == 0
    assert Path("results/analysis/errors.csv").is_file() and sorted(traj.rglob("*")) == before


def test_one_judge_and_other_budgets(traj: Path) -> None:
    main(["analyze", str(traj), "--judge", "k", "--step-budgets", "2", "1", "--out", "out"])
    budgets = pd.read_csv("out/budgets.csv")
    assert list(budgets["judge"]) == ["k", "k"] and list(budgets["budget"]) == [1, 2]


def test_what_cannot_be_read_is_told_and_counts(traj: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (traj / "t1" / "web_surfer.log").write_text("{")
    assert main(["analyze", str(traj), "--out", "out"]) == 1
    assert "t1/web_surfer.log, line 1" in capsys.readouterr().err
    lines = pd.read_csv("out/trajectories.csv").set_index("task_id")
    assert lines.loc["t1", "outcome"] == "unreadable" and pd.isna(lines.loc["t1", "steps"])


def test_nothing_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["analyze", "."]) == 1
    said = capsys.readouterr()
    assert "No trajectories were found" in said.out and "no trajectories in ." in said.err
    assert Path("results/analysis/trajectories.csv").is_file()


@pytest.mark.parametrize(
    "words, message",
    [(["gone"], "no such folder"), (["traj", "--judge", "z"], "no trajectory has a score of z")],
)
def test_mistakes(traj: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["analyze", *words, "--out", "out"]) == 2
    assert message in capsys.readouterr().err and not Path("out").exists()


@pytest.mark.parametrize("words", ["--max-rounds 0", "--max-rounds x", "--nonsense", "--step-budgets -1"])
def test_mistyped_options(traj: Path, words: str) -> None:
    with pytest.raises(SystemExit):
        main(["analyze", "traj", *words.split()])
