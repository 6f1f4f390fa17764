"""Figures: the same bytes from the same trajectories, and words where there is nothing to draw."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPO
from tests.report.analysis.folders import line, make, step
from webassay.report.analysis.analysis import Analysis, analyze
from webassay.report.analysis.figures import figures
from webassay.report.analysis.places import places_under

NAMES = {f"{name}.{form}" for name in ("steps", "budgets", "errors") for form in ("pdf", "png")}


def drawn(analysis: Analysis) -> dict[str, bytes]:
    data = {table.name: table.data for table in analysis.tables}
    return figures(analysis.records, data["budgets"], data["errors"])


def analysis_of(folder: Path) -> Analysis:
    return analyze(places_under([str(folder)]))


def test_each_in_both_forms(run: Path) -> None:
    found = drawn(analysis_of(run))
    assert set(found) == NAMES
    assert all(found[name].startswith(b"%PDF" if name.endswith("pdf") else b"\x89PNG") for name in NAMES)


def test_the_same_bytes_in_another_process(run: Path, tmp_path: Path) -> None:
    analysis_of(run).write(tmp_path / "here")
    program = "from webassay.cli import main; main()"
    surroundings = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "PYTHONPATH": str(REPO / "scripts")}
    words = ["analyze", str(run), "--out", str(tmp_path / "there"), "--max-rounds", "100"]
    subprocess.run([sys.executable, "-c", program, *words], env=os.environ | surroundings, stdout=subprocess.DEVNULL)
    for path in (tmp_path / "here").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "there" / path.relative_to(tmp_path / "here")).read_bytes(), path.name


@pytest.mark.parametrize("count", [0, 1])
def test_with_nothing_to_draw_they_say_so(tmp_path: Path, count: int) -> None:
    for number in range(count):
        make(tmp_path / f"t{number}", answer=None)
    assert set(drawn(analysis_of(tmp_path))) == NAMES


def test_many_kinds_many_steps_and_dollars(tmp_path: Path) -> None:
    """More kinds than bars, more steps than bars, and text that is no formula."""
    for number in range(25):
        clicks = [step(0, "left_click")] * (50 * number)
        make(tmp_path / f"t{number}", clicks, core=line("ERROR", f"$x_{number}$ \N{SNOWMAN}"), scores={"$j": 1})
    assert set(drawn(analysis_of(tmp_path))) == NAMES
