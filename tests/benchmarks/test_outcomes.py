"""Other people's outcomes: public agents come out as they are known, and doubtful files are refused by the row."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.released import released
from tests.stats.outcomes import public
from webassay.benchmarks import webarena, webarena_verified_hard
from webassay.benchmarks.outcomes import read_outcomes
from webassay.core.task import task_from_record
from webassay.errors import DatasetError
from webassay.stats.bootstrap import clustered
from webassay.stats.coverage import coverage
from webassay.stats.paired import difference, mcnemar
from webassay.stats.success import Interval, template_macro

TASKS = [
    task_from_record({"task_id": name, "intent": "?", "sites": ["a", "b"], "intent_template_id": "t", "eval": []}, name)
    for name in "123"
]


@cache
def agents() -> pd.DataFrame:
    return read_outcomes(public(), webarena.load(released()))


@cache
def hard() -> frozenset[str]:
    return frozenset(task.task_id for task in webarena_verified_hard.load(released()))


def of(agent: str) -> pd.DataFrame:
    return agents()[agents()["agent"] == agent]


def points(interval: Interval) -> tuple[float, float, int]:
    assert interval.mean is not None and interval.half_width is not None
    return round(100 * interval.mean, 1), round(100 * interval.half_width, 1), interval.templates


@pytest.mark.parametrize(
    "agent, attempted, success, macro, on_hard",
    [
        ("colorbrowseragent", 812, 72.4, (72.1, 4.8, 190), (62.7, 7.9, 114)),
        ("jace", 810, 57.3, (57.5, 5.0, 190), (32.6, 7.7, 114)),
        ("GenericAgent-anthropic_claude-3.7-sonnet", 100, 32.0, (31.3, 10.2, 75), (16.1, 13.1, 28)),
        ("GenericAgent-gpt-4o-2024-11-20", 97, 24.7, (23.8, 9.1, 75), (11.9, 12.3, 28)),
        ("GenericAgent-Qwen_Qwen2.5-VL-72B-Instruct", 91, 29.7, (30.0, 10.2, 70), (14.2, 13.0, 27)),
        ("GenericAgent-meta-llama_Llama-3.3-70B-Instruct", 96, 17.7, (15.3, 7.7, 72), (6.8, 8.6, 27)),
    ],
)
def test_public_agents(
    agent: str,
    attempted: int,
    success: float,
    macro: tuple[float, float, int],
    on_hard: tuple[float, float, int],
) -> None:
    rows = of(agent)
    assert str(coverage(rows, [task.task_id for task in webarena.load(released())])) == f"{attempted}/812"
    assert round(100 * float(rows["score"].mean()), 1) == success
    assert points(template_macro(rows, 0.95)) == macro
    assert points(template_macro(rows[rows["task_id"].isin(hard())], 0.95)) == on_hard


def test_jace_falls_behind_colorbrowseragent() -> None:
    found = difference(of("jace"), of("colorbrowseragent"), 0.95)
    assert points(found.interval) == (-14.6, 5.6, 190) and found.falls_behind and not found.outperforms
    assert found.p_value is not None and found.p_value < 1e-5
    assert mcnemar(of("jace"), of("colorbrowseragent")).tasks == 810


@pytest.mark.parametrize(
    "agent, expected",
    [
        ("GenericAgent-Qwen_Qwen2.5-VL-72B-Instruct", (-36.4, 12.1, 70)),
        ("GenericAgent-anthropic_claude-3.7-sonnet", (-36.5, 12.2, 75)),
        ("GenericAgent-gpt-4o-2024-11-20", (-44.0, 11.7, 75)),
        ("GenericAgent-meta-llama_Llama-3.3-70B-Instruct", (-52.0, 11.3, 72)),
    ],
)
def test_agents_of_few_tasks_are_compared_over_common_templates(agent: str, expected: tuple[float, float, int]) -> None:
    assert points(difference(of(agent), of("colorbrowseragent"), 0.95).interval) == expected


def test_drawing_templates_anew_gives_the_same_interval() -> None:
    drawn = clustered(of("jace"), 0.95, np.random.default_rng(1), 2000)
    assert drawn is not None and (100 * drawn.low, 100 * drawn.high) == pytest.approx((52.5, 62.6), abs=0.6)


def read(folder: Path, *lines: str) -> pd.DataFrame:
    path = folder / "outcomes.csv"
    path.write_text("\n".join(lines) + "\n")
    return read_outcomes(path, TASKS)


def test_what_nobody_judged_is_unknown_and_other_columns_do_no_harm(tmp_path: Path) -> None:
    found = read(tmp_path, "agent,task_id,success,num_steps,source", "x,1,1,4,here", "x,2,,,there")
    assert found["score"].tolist()[0] == 1 and found["score"].isna().tolist() == [False, True]
    assert found["steps"].isna().tolist() == [False, True] and set(found["sites"]) == {"a+b"}


@pytest.mark.parametrize(
    "lines, message",
    [
        (["agent,task_id"], "no column success"),
        (["agent,task_id,success"], "no rows"),
        (["agent,task_id,success", "x,1,1", "x,9,1"], "line 3: task_id='9' is no task of the benchmark"),
        (["agent,task_id,success", "x,1,yes"], "line 2: success='yes' is no number"),
        (["agent,task_id,success", "x,1,2"], "line 2: success='2' must be between 0 and 1, or empty"),
        (["agent,task_id,success,num_steps", "x,1,1,1e99"], "line 2: num_steps='1e99' must be between 0 and 1000000"),
        (["agent,task_id,success", "x,1,nan"], "line 2: success='nan' is no number"),
        (["agent,task_id,success", ",1,1"], "line 2: agent='' names nobody"),
        (["agent,task_id,success,num_steps", "x,1,1,-3"], "line 2: num_steps='-3' must be"),
        (["agent,task_id,success", "x,1,1", "x,1,0"], "1 attempts are there twice, first x/0/1; repeated runs need"),
        (["agent,task_id,success", 'x,1,"'], "not a CSV file"),
        (["agent,task_id,success", "x,1,1,2,3"], "not a CSV file"),
    ],
)
def test_a_doubtful_row_is_refused(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(message)):
        read(tmp_path, *lines)


def test_success_may_be_a_word_or_a_part_and_a_mark_of_the_encoding_is_no_name(tmp_path: Path) -> None:
    found = read(tmp_path, "\ufeffagent,task_id,success,budget", "x,1,True,40", "x,2,false,", "x,3,0.5,")
    assert found["score"].tolist() == [1, 0, 0.5] and found["budget"].tolist()[0] == 40


def test_runs_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    found = read(tmp_path, "agent,run_id,task_id,success", *(f"x,{run},1,0" for run in (10, 9, 2)))
    assert found["run_id"].tolist() == ["2", "9", "10"]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outcomes.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DatasetError, match="not a CSV file"):
        read_outcomes(tmp_path / "outcomes.csv", TASKS)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"gone\.csv: no such file"):
        read_outcomes(tmp_path / "gone.csv", TASKS)


def test_run_ids_make_repeats_of_what_would_be_duplicates(tmp_path: Path) -> None:
    found = read(tmp_path, "agent,run_id,task_id,success", "x,0,1,1", "x,1,1,0")
    assert len(found) == 2 and str(coverage(found, ["1", "2"])) == "2/4"
