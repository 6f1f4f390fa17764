"""The tables of a run of six trajectories, against numbers counted by hand."""

import io
from pathlib import Path

import pandas as pd
import pytest

from tests.report.analysis.folders import make, step
from webassay.report.analysis.analysis import Analysis, analyze
from webassay.report.analysis.places import places_under


def analysis_of(*folders: Path, rounds: int = 10) -> Analysis:
    return analyze(places_under([str(folder) for folder in folders], max_rounds=rounds))


def table(analysis: Analysis, name: str, *index: str) -> pd.DataFrame:
    return next(each.data for each in analysis.tables if each.name == name).set_index(list(index))


def markdown(analysis: Analysis, name: str) -> str:
    return next(each.markdown for each in analysis.tables if each.name == name)


@pytest.mark.parametrize(
    "measure, judge, over, mean, n, of",
    [
        ("score", "j", "completed", 1 / 2, 2, 3),  # nobody judged `declined`
        ("score", "j", "all", 1 / 3, 3, 6),
        ("score", "j", "all, not judged as 0", 1 / 6, 6, 6),
        ("steps", "", "completed", 3, 3, 3),
        ("steps", "", "all", 4, 5, 6),
        ("seconds", "", "completed", 15, 2, 3),
        ("seconds", "", "all", 2035 / 4, 4, 6),
        ("prompt tokens", "", "completed", 220, 2, 3),
        ("completion tokens", "", "all", 22, 2, 6),
    ],
)
def test_averages(run: Path, measure: str, judge: str, over: str, mean: float, n: int, of: int) -> None:
    line = table(analysis_of(run), "averages", "measure", "judge", "over").loc[(measure, judge, over)]
    assert (line["n"], line["of"]) == (n, of) and line["mean"] == pytest.approx(mean)


def test_averages_for_people_say_what_they_are_over(run: Path) -> None:
    shown = markdown(analysis_of(run), "averages")
    assert "0.500 ± 0.500 (n=2)" in shown and "0.333 ± 0.471 (n=3)" in shown
    assert "all, not judged as 0 (6)" in shown and "nan" not in shown


@pytest.mark.parametrize(
    "group, n, of, figures, counts, histogram",
    [
        ("all", 5, 6, (4, 3, 1, 10), (0, 1, 1, 1), "1:1 2:1 3:1 4:1 10:1"),
        ("not aborted", 4, 4, (4.75, 3.5, 2, 10), (0, 0, 1, 1), "2:1 3:1 4:1 10:1"),
        ("aborted", 1, 2, (1, 1, 1, 1), (0, 1, 1, 0), "1:1"),
    ],
)
def test_steps(
    run: Path, group: str, n: int, of: int, figures: tuple[float, ...], counts: tuple[int, ...], histogram: str
) -> None:
    line = table(analysis_of(run), "steps", "group").loc[group]
    assert (line["n"], line["of"]) == (n, of)
    assert tuple(line[["mean", "median", "min", "max"]]) == figures
    assert tuple(line[["no_step", "one_step", "at_max", "budget_used"]]) == counts
    assert line["histogram"] == histogram


def test_times(run: Path) -> None:
    lines = table(analysis_of(run), "times", "measure", "over")
    assert tuple(lines.loc[("session", "all")][["n", "of", "median", "max"]]) == (4, 6, 15, 2000)
    # right 3, wrong 10, long 1, declined 1; the aborted one has a single step
    assert tuple(lines.loc[("between actions", "all")][["n", "mean"]]) == (4, 3.75)
    assert tuple(lines.loc[("log", "completed")][["n", "min", "max"]]) == (3, 3, 10)


def test_tokens(run: Path) -> None:
    lines = table(analysis_of(run), "tokens", "component")
    columns = ["n", "of", "prompt_sum", "prompt_mean", "prompt_sd", "completion_sum", "both_sum", "calls_sum"]
    assert tuple(lines.loc["A"][columns]) == (2, 6, 400, 200, 100, 40, 440, 2)
    assert tuple(lines.loc["B"][columns]) == (1, 6, 40, 40, 0, 4, 44, 1)
    assert tuple(lines.loc["together"][columns]) == (2, 6, 440, 220, 120, 44, 484, 3)


def test_budgets(run: Path) -> None:
    lines = table(analysis_of(run), "budgets", "percent")
    assert list(lines["budget"]) == [1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9, 10]
    columns = ["within", "graded", "mean_graded", "tasks", "mean_all"]
    assert tuple(lines.loc[10][columns]) == (0, 3, 0, 6, 0)
    assert tuple(lines.loc[20][columns]) == (2, 3, pytest.approx(1 / 3), 6, pytest.approx(1 / 6))
    assert tuple(lines.loc[100][columns]) == (3, 3, pytest.approx(1 / 3), 6, pytest.approx(1 / 6))
    assert "3 of 6" in markdown(analysis_of(run), "budgets")


def test_budgets_in_steps(run: Path) -> None:
    found = analyze(places_under([str(run)], max_rounds=10), budgets=[1, 2])
    assert list(table(found, "budgets", "budget")["mean_graded"]) == [0, pytest.approx(1 / 3)]
    assert "≤ 2" in markdown(found, "budgets")


def test_errors(run: Path) -> None:
    lines = table(analysis_of(run), "errors", "what", "kind")
    died = lines.loc[("logged", "aborted: the browser died")]
    assert tuple(died[["count", "of", "earlier_attempts", "samples"]]) == (1, 6, 1, "aborted")
    assert lines.loc[("logged", "Captcha timed out"), "samples"] == "long"
    assert lines.loc["state"]["count"].to_dict() == {
        "aborted": 1,
        "unreadable": 1,
        "over budget": 1,
        "no answer with rounds left, not aborted": 0,
        "attempted more than once": 1,
        "session over 1800 s": 1,
    }


def test_what_cannot_be_read_is_listed_by_name(run: Path) -> None:
    shown = markdown(analysis_of(run), "errors")
    assert "Cannot be read, in whole or in part (1):" in shown and "/broken: " in shown and "line 1" in shown


def test_refusals(run: Path) -> None:
    lines = table(analysis_of(run), "refusals", "rule")
    assert tuple(lines.loc["any rule"][["count", "of", "samples"]]) == (1, 3, "declined")
    assert tuple(lines.loc["will not help"][["count", "of", "samples"]]) == (1, 3, "declined")
    assert lines["count"].sum() == 2


def test_each_run_has_its_lines_and_so_have_all_together(run: Path, tmp_path: Path) -> None:
    make(tmp_path / "other" / "traj" / "t1", [step(0, "terminate")] * 7, scores={"j": 1}, seconds=1)
    found = analysis_of(run, tmp_path / "other")
    steps = table(found, "steps", "run", "group")
    assert steps.loc[("run", "all"), "mean"] == 4 and steps.loc[("other", "all"), "mean"] == 7
    assert steps.loc[("all runs", "all"), "mean"] == 4.5
    assert table(found, "errors", "run", "kind").loc[("all runs", "over budget"), "samples"] == "run/long"


def test_samples_are_three_and_a_count(tmp_path: Path) -> None:
    for number in range(5):
        make(tmp_path / f"t{number}", aborted=True)
    lines = table(analysis_of(tmp_path), "errors", "kind")
    assert lines.loc["aborted", "samples"] == "t0, t1, t2 (+2 more)"


def test_names_and_logs_never_become_markup(tmp_path: Path) -> None:
    make(tmp_path / "a|b<script>\x1b[2J\x9b", aborted=True)
    shown = markdown(analysis_of(tmp_path), "errors")
    assert "a\\|b\\<script>" in shown and "a|b<script>" not in shown and not {"\x1b", "\x9b"} & {*shown}


@pytest.mark.parametrize("number", range(7))
def test_nothing_is_said_of_nothing(tmp_path: Path, number: int) -> None:
    empty = analysis_of(tmp_path).tables[number]
    assert "No trajectories were found" in empty.markdown
    assert len(pd.read_csv(io.StringIO(empty.csv)).columns) > 3


def test_where_all_were_aborted_there_is_no_rate(tmp_path: Path) -> None:
    for number in range(3):
        make(tmp_path / f"t{number}", [], "<no_answer>", aborted=True)
    found = analysis_of(tmp_path)
    score = table(found, "averages", "measure", "over").loc[("score", "all")]
    assert score["n"] == 0 and pd.isna(score["mean"])
    shown = markdown(found, "averages")
    assert "completed (0)" in shown and "n/a (n=0)" in shown
    assert "No trajectory has a score" in markdown(found, "budgets")
    assert "unknown, not 0" in markdown(found, "tokens")
    assert "| any rule | 0       | n/a | 0" in markdown(found, "refusals")
