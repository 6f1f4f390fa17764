"""Strata: several sites are one of their own, and a template may be in two."""

import pandas as pd
import pytest

from tests.stats.outcomes import attempts
from webassay.stats.sites import by_site, site_macro
from webassay.stats.strata import stratum

SCORES = pd.concat(
    [
        attempts([("1", "a", 1), ("2", "b", 0)], sites="map"),
        attempts([("3", "a", 1)], sites="map+admin"),
        attempts([("4", "c", 0), ("5", "d", 0)], sites="admin"),
    ]
)


def test_a_task_of_several_sites_is_in_none_of_theirs() -> None:
    assert [stratum(sites) for sites in (["map"], ["map", "wiki"])] == ["map", "multi"]


def test_each_stratum_has_its_own_interval_and_templates_add_up() -> None:
    found = by_site(SCORES, 0.95)
    assert {site: (interval.mean, interval.templates) for site, interval in found.items()} == {
        "admin": (0, 2),
        "map": (0.5, 2),
        "multi": (1, 1),
    }
    assert found["multi"].half_width is None  # one template, (a): unknown, not 0


def test_over_sites_a_site_is_the_unit() -> None:
    found = site_macro(SCORES, 0.95)
    assert (found.mean, found.sites) == (0.5, 3)
    assert found.half_width == pytest.approx(4.3027 * 0.5 / 3**0.5, rel=1e-4)
    assert site_macro(SCORES[SCORES["sites"] == "map"], 0.95).half_width is None
