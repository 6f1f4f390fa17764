"""Agents against an anchor: what both have, the paper's rule of significance, and what cannot be said."""

import pandas as pd
import pytest
from scipy.stats import binomtest, ttest_rel

from tests.stats.outcomes import attempts
from webassay.stats.paired import difference, holm, matched_difference, mcnemar, subset_difference

ANCHOR = attempts([("1", "a", 0), ("2", "a", 1), ("3", "b", 0), ("4", "c", 0), ("5", "d", 1)])
BETTER = attempts([("1", "a", 1), ("2", "a", 1), ("3", "b", 1), ("4", "c", 1), ("5", "d", 1)])


def test_the_difference_is_that_of_template_means() -> None:
    found = difference(BETTER, ANCHOR, 0.95)
    assert found.interval.mean == pytest.approx((0.5 + 1 + 1 + 0) / 4) and found.interval.templates == 4
    assert found.p_value == pytest.approx(ttest_rel([1, 1, 1, 1], [0.5, 0, 0, 1]).pvalue)


def test_an_agent_outperforms_when_the_whole_interval_is_above_zero() -> None:
    rows = [(str(n), f"t{n}", n % 5 != 0) for n in range(40)]
    better, anchor = attempts(rows), attempts([(task, template, 0) for task, template, _ in rows])
    assert difference(better, anchor, 0.95).outperforms is True
    assert difference(anchor, better, 0.95).falls_behind is True
    assert difference(BETTER, ANCHOR, 0.95).outperforms is False  # 62.5 ± 76: better on the whole, and by chance


def test_templates_that_both_have_count_each_with_its_own_attempts() -> None:
    less = BETTER[BETTER["template"] != "d"]
    assert difference(less, ANCHOR, 0.95).interval.templates == 3
    half = BETTER[BETTER["task_id"] != "1"]  # of template a, task 2 is left, which it passes; the anchor half of a
    assert difference(half, ANCHOR, 0.95).interval.mean == pytest.approx((0.5 + 1 + 1 + 0) / 4)
    matched = matched_difference(half, ANCHOR, 0.95)
    assert matched is not None and matched.interval.mean == pytest.approx(2 / 4)
    assert mcnemar(half, ANCHOR).tasks == 4


def test_the_same_tasks_are_matched_already() -> None:
    assert matched_difference(BETTER, ANCHOR, 0.95) is None
    unjudged = pd.concat([BETTER, attempts([("6", "d", None)])])
    assert matched_difference(unjudged, ANCHOR, 0.95) is None


def test_different_templates_have_no_difference() -> None:
    other = attempts([("9", "z", 1)])
    found = difference(other, ANCHOR, 0.95)
    assert (found.interval.mean, found.interval.templates, found.p_value, found.outperforms) == (None, 0, None, None)
    assert mcnemar(other, ANCHOR).p_value is None


def test_one_template_has_a_difference_and_no_interval() -> None:
    found = difference(attempts([("1", "a", 1)]), attempts([("1", "a", 0)]), 0.95)
    assert (found.interval.mean, found.interval.half_width, found.outperforms) == (1, None, None)


@pytest.mark.parametrize("shift", [0, -1])
def test_a_flat_difference_has_neither_interval_nor_significance(shift: float) -> None:
    anchor = BETTER.assign(score=1.0)
    found = difference(anchor.assign(score=1.0 + shift), anchor, 0.95)
    assert found.is_flat and (found.interval.mean, found.interval.half_width) == (shift, None)
    assert (found.p_value, found.outperforms, found.falls_behind) == (None, None, None)
    assert mcnemar(ANCHOR, ANCHOR).p_value is None


def test_mcnemar_is_the_exact_test_of_what_tells_them_apart() -> None:
    rows = [(str(n), "t", int(n < 9)) for n in range(30)]
    found = mcnemar(attempts(rows), attempts([(task, "t", int(task == "20")) for task, _, _ in rows]))
    assert (found.tasks, found.only_agent, found.only_anchor) == (30, 9, 1)
    assert found.p_value == pytest.approx(binomtest(1, 10).pvalue)


def test_of_several_runs_most_must_pass() -> None:
    runs = [attempts([("1", "a", score)], run_id=str(n)) for n, score in enumerate((1, 1, 0))]
    assert mcnemar(pd.concat(runs), attempts([("1", "a", 0)])).only_agent == 1
    assert mcnemar(pd.concat(runs[1:]), attempts([("1", "a", 0)])).only_agent == 0  # a tie is no pass


def test_holm_counts_all_comparisons_also_those_without_a_p_value() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": None, "d": 0.03})
    assert found == {"a": pytest.approx(0.04), "b": pytest.approx(0.09), "c": None, "d": pytest.approx(0.09)}
    assert holm({"a": None}) == {"a": None} and holm({}) == {}


def test_a_subset_beside_its_whole_is_over_its_own_templates() -> None:
    part = BETTER[BETTER["task_id"].isin(["1", "3"])].assign(score=0.0)
    found = subset_difference(part, BETTER, 0.95)
    assert (found.mean, found.templates) == (-1, 2)
