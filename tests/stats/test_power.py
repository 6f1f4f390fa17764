"""What a benchmark can detect, by simulation, and what a published interval implies."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from webassay.stats.power import detectable_paired, detectable_unpaired, implied_spread, largest_spread


def test_four_of_five_experiments_find_a_difference_of_this_size() -> None:
    size = detectable_paired(40, 0.4, 0.95, 0.8)
    assert size is not None
    drawn = np.random.default_rng(1).normal(size, 0.4, (4000, 40))
    assert np.mean(ttest_1samp(drawn, 0, axis=1).pvalue < 0.05) == pytest.approx(0.8, abs=0.02)


def test_pairing_and_templates_make_it_smaller() -> None:
    paired, unpaired = (detect(190, 0.37, 0.95, 0.8) for detect in (detectable_paired, detectable_unpaired))
    assert paired is not None and unpaired is not None and unpaired == pytest.approx(paired * 2**0.5, rel=0.01)
    assert 0.07 < paired < 0.08 and detectable_paired(1, 0.37, 0.95, 0.8) is None


@pytest.mark.parametrize(
    "mean, half_width, templates, spread", [(0.523, 0.053, 191, 0.371), (0.369, 0.073, 114, 0.393)]
)
def test_the_papers_intervals_are_possible(mean: float, half_width: float, templates: int, spread: float) -> None:
    assert implied_spread(half_width, templates, 0.95) == pytest.approx(spread, abs=1e-3)
    assert implied_spread(half_width, templates, 0.95) < largest_spread(mean, templates)
