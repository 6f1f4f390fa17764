"""n_ref by its two rules, and the bins."""

import numpy as np
import pandas as pd
import pytest

from webassay.stats.attempts import Pool
from webassay.stats.steps import bin_names, bin_of, reference_steps

BINS = (1, 3, 5, 8, 12, 18, 25)


def pool(won: list[int], lost: list[int]) -> Pool:
    tasks = pd.DataFrame({"task_id": ["0"], "site": ["shop"], "template": ["t"], "category": ["t"]})
    success = [1] * len(won) + [0] * len(lost)
    return Pool(tasks, pd.DataFrame({"agent": "a", "task": 0, "success": success, "steps": won + lost}), (), {})


@pytest.mark.parametrize(
    "won, lost, n_ref, rule",
    [
        ([4] * 15 + [5] * 15, [30] * 10, 4.5, "median"),  # a half stays
        ([4] * 29, [10] * 29, 10.0, "60th"),  # 29 successes are not 30
        ([4] * 30, [10] * 30, 4.0, "median"),
        ([], [1, 2, 3, 4, 5, 6], 4.0, "60th"),
        ([20] * 30, [1] * 970, 1.0, "median"),  # winsorised at the 95th percentile of all attempts
    ],
)
def test_the_reference_follows_its_rule(won: list[int], lost: list[int], n_ref: float, rule: str) -> None:
    found = reference_steps(pool(won, lost), 30).iloc[0]
    assert found["n_ref"] == pytest.approx(n_ref)
    assert found["rule"].startswith(rule)


def test_each_number_of_steps_has_its_bin() -> None:
    assert bin_of([1, 2, 3, 4.5, 5, 7.5, 24, 25, 30], BINS).tolist() == [0, 0, 1, 1, 2, 2, 5, 6, 6]
    assert bin_names(BINS, 30) == ("1-2", "3-4", "5-7", "8-11", "12-17", "18-24", "25-30")
    assert len(np.unique(bin_of(range(1, 31), BINS))) == len(BINS)
