"""Steps before giving up, against what a site usually takes."""

import pandas as pd

from tests.stats.outcomes import attempts
from webassay.stats.exploration import least_steps, normalised, usual_steps

ROWS = attempts([("1", "a", 1), ("2", "a", 1), ("3", "a", 0), ("4", "b", 1), ("5", "b", 1)])
STEPS = [4, 7, 30, 1, None]


def test_usual_is_the_median_of_what_passed_and_could_be_done() -> None:
    table = ROWS.assign(steps=STEPS)
    assert usual_steps(table, ["4", "5"]) == {"shop": 5.5}
    assert least_steps({"shop": 5.5}) == {"shop": 3}
    found = normalised(table, {"shop": 5.5}, ["4", "5"]).set_index("task_id")
    assert found["ratio"].round(3).to_dict() == {"1": 0.727, "2": 1.273, "3": 5.455, "4": 0.182}
    assert found["kind"].to_dict() == {"1": "achievable", "2": "achievable", "3": "achievable", "4": "unachievable"}


def test_no_success_on_a_site_leaves_its_usual_steps_unknown() -> None:
    table = pd.concat([ROWS.assign(steps=STEPS), attempts([("9", "z", 0)], sites="map").assign(steps=3)])
    usual = usual_steps(table, [])
    assert "map" not in usual and "9" not in set(normalised(table, usual, [])["task_id"])


def test_no_action_counts_as_one() -> None:
    table = attempts([("1", "a", 1)]).assign(steps=0)
    assert usual_steps(table, []) == {"shop": 1}
    assert normalised(table, {"shop": 1}, [])["ratio"].tolist() == [1]
