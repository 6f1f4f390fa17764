"""No denominator shrinks in silence."""

import pandas as pd
import pytest

from tests.stats.outcomes import attempts
from webassay.stats.coverage import coverage, duplicates, settle
from webassay.stats.success import template_macro

SCORES = attempts([("1", "a", 1), ("2", "a", 1), ("3", "b", None)])


def test_a_crash_is_a_failure_or_is_seen_to_be_missing() -> None:
    failed, left_out = settle(SCORES, "failed"), settle(SCORES, "left_out")
    assert (template_macro(failed, 0.95).mean, template_macro(failed, 0.95).templates) == (0.5, 2)
    assert (template_macro(left_out, 0.95).mean, template_macro(left_out, 0.95).templates) == (1, 1)
    assert str(coverage(failed, ["1", "2", "3"])) == "2/3"
    assert str(coverage(left_out, ["1", "2", "3"])) == "2/3"


@pytest.mark.parametrize("expected, shown", [(["1", "2", "9"], "2/3"), (["9"], "0/1")])
def test_tasks_that_nobody_expected_do_not_count(expected: list[str], shown: str) -> None:
    assert str(coverage(SCORES, expected)) == shown


def test_the_same_attempt_twice_is_named() -> None:
    twice = attempts([("1", "a", 1), ("1", "a", 0), ("2", "a", 1)])
    assert duplicates(twice, ["run_id", "task_id"]) == ["0/1"]


def test_a_run_of_which_nothing_was_judged_is_still_expected() -> None:
    lost = SCORES.assign(score=None, run_id="1").astype({"score": float})
    both = settle(pd.concat([SCORES, lost]), "left_out")
    assert str(coverage(both, ["1", "2", "3"])) == "2/6"
