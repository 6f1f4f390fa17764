"""Success rates: the denominators, the interval, and what is unknown rather than 0."""

import math

import numpy as np
import pandas as pd
import pytest

from webassay.stats.bootstrap import clustered
from webassay.stats.success import rule_of_three, success_metrics, template_macro


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


def test_equal_templates_say_how_little_that_says() -> None:
    table = scores(*((name, 0, "answered") for name in "abcdefghij"))
    found = template_macro(table, 0.95)
    assert found.is_flat and found.bounds == (0, 0)
    assert rule_of_three(found.templates, 0.95) == pytest.approx(0.3, abs=0.001)
    assert rule_of_three(1, 0.95) == 1


def test_templates_are_counted_after_the_empty_ones_are_gone() -> None:
    table = scores(("a", 1, "answered"), ("b", 0, "answered"), ("c", None, "aborted"))
    found = template_macro(table, 0.95)
    assert found.templates == 2 and found.half_width == pytest.approx(12.706 * 0.5, rel=1e-4)  # one degree of freedom


def test_drawing_templates_anew_agrees_with_the_t_interval() -> None:
    table = scores(*((f"t{n // 3}", float(n % 7 in (1, 4, 5)), "answered") for n in range(450)))
    macro = template_macro(table, 0.95)
    drawn = clustered(table, 0.95, np.random.default_rng(7), 2000)
    assert drawn is not None and macro.bounds is not None
    assert (drawn.low, drawn.high) == pytest.approx(macro.bounds, abs=0.01)
    assert clustered(table.head(3), 0.95, np.random.default_rng(7), 2000) is None


def test_bounds_are_not_clipped_where_they_are_numbers() -> None:
    bounds = template_macro(scores(("a", 0, "answered"), ("b", 0, "answered"), ("c", 1, "answered")), 0.95).bounds
    assert bounds is not None and bounds[0] < 0 and bounds[1] > 1


def test_a_template_of_one_task_weighs_as_much_as_one_of_five() -> None:
    table = scores(*((("a", 1, "answered"),) * 5), ("b", 0, "answered"))
    assert template_macro(table, 0.95).mean == 0.5
