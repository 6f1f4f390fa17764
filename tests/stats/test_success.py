"""Success rates: the denominators, the interval, and what is unknown rather than 0."""

import math

import pandas as pd
import pytest

from webassay.stats.success import success_metrics, template_macro


def scores(*rows: tuple[str, float | None, str]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["template", "score", "execution"])
    verification = ["ungraded" if pd.isna(score) else "scored" for score in table["score"]]
    return table.assign(verification=verification, parse_failure=False)


def test_templates_not_tasks_are_the_unit() -> None:
    table = scores(("a", 1, "answered"), ("a", 1, "answered"), ("a", 1, "answered"), ("b", 0, "answered"))
    found = template_macro(table, 0.95)
    assert (found.mean, found.templates) == (0.5, 2)
    assert found.half_width == pytest.approx(12.706 * math.sqrt(0.5) / math.sqrt(2), rel=1e-4)


def test_one_template_has_no_spread_and_none_has_no_mean() -> None:
    assert template_macro(scores(("a", 1, "answered")), 0.95).half_width is None
    assert template_macro(scores(("a", None, "aborted")), 0.95).mean is None


def test_three_denominators() -> None:
    table = scores(("a", 1, "answered"), ("b", 0, "over_budget"), ("c", None, "aborted"), ("d", 1, "answered"))
    found = success_metrics(table)
    assert (found["micro_all"], found["n_all"]) == (0.5, 4)
    assert (found["micro_graded"], found["n_graded"]) == (pytest.approx(2 / 3), 3)
    assert (found["micro_answered"], found["n_answered"]) == (1.0, 2)
    assert (found["aborted"], found["over_budget"], found["ungraded"]) == (1, 1, 1)


def test_a_run_of_aborts_has_no_graded_rate() -> None:
    found = success_metrics(scores(("a", None, "aborted")))
    assert found["micro_graded"] is None and found["micro_all"] == 0.0
