"""The cheap rows in a tiny size: that they measure what they say and stand in the table; never how fast."""

from pathlib import Path

import pandas as pd
import pytest

from webassay.bench.model_judging import model_judging_row
from webassay.bench.noop import noop_row
from webassay.bench.orchestration import orchestration_row
from webassay.bench.prepared import prepare
from webassay.bench.report import opening_rows
from webassay.bench.site import site_rows
from webassay.bench.suite import SCALES, built_site, scale_named
from webassay.bench.table import Row, compared, measured, write_table
from webassay.errors import ConfigError, WebassayError

TASKS, RUNS = 3, 2


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    folder = tmp_path_factory.mktemp("bench")
    run, data, tasks = built_site(folder)
    place = prepare(folder, tasks, TASKS, RUNS)
    with pytest.raises(WebassayError, match="not up to date"):
        noop_row(place, TASKS, RUNS, repeats=1)  # the first pass has work to do, and that is not a no-op
    orchestration = orchestration_row(place, TASKS, RUNS, passes=2)
    noop = noop_row(place, TASKS, RUNS, repeats=1)
    site = site_rows(run.config["environment"], data, resets=2, starts=1)
    return [noop, orchestration, *site, *opening_rows(place, TASKS, RUNS)]


@pytest.mark.slow
def test_the_table_has_its_rows_units_and_goals(rows: list[Row], tmp_path: Path) -> None:
    text = write_table(rows, tmp_path)
    table = pd.read_csv(tmp_path / "summary.csv")
    assert list(table["unit"]) == ["s", "ms", "ms", "s", "ms", "ms"]
    assert list(table["goal"]) == ["≤ 2 ×", "≤ 5 ms", "≤ 20 ms", "≤ 3 s", "≤ 3 ×", "≤ 3 ×"]
    assert list(table["n"]) == [1, 2, 2, 1, 5, 5]
    assert list(table["reference"].notna()) == list(table["ratio"].notna()) == [True, False, False, False, True, True]
    assert (table["ours"] > 0).all()
    assert text == (tmp_path / "summary.md").read_text()
    assert [line.count("|") for line in text.splitlines()[:8]] == [10] * 8


def test_judging_by_a_model_is_held_against_its_latency(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    row = model_judging_row(tmp_path / "judging", 8, 1)
    assert row.reference == pytest.approx(0.1) and row.ours > 0.1 and row.goal == "≤ 1.2 ×"


def test_a_ratio_is_the_median_over_pairs() -> None:
    row = compared("a / b", "s", [(2.0, 1.0), (3.0, 1.0), (9.0, 3.0)], at_most=2.5)
    assert (row.ours, row.reference, row.ratio, row.goal, row.result) == (3.0, 1.0, 3.0, "≤ 2.5 ×", "missed")
    assert compared("a / b", "s", [(1.0, 2.0)]).result == "no goal"


def test_a_value_is_held_against_its_goal_and_has_the_spread_of_its_middle_half() -> None:
    row = measured("a", "ms", [1.0, 2.0, 3.0, 4.0, 100.0], at_most=3.0)
    assert (row.ours, row.result, row.n, row.spread) == (3.0, "met", 5, "2 to 4")


def test_an_unknown_scale_is_named() -> None:
    with pytest.raises(ConfigError, match="bench_scale=huge"):
        scale_named("huge")
    assert SCALES["full"].runs * SCALES["full"].tasks == 8120
