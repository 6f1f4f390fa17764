"""Mistakes by lot: the same for the same task, as many as were asked for, and each a mistake."""

from typing import Any

import pytest

from webassay.matching.compare import compare
from webassay.systems import noisy_oracle
from webassay.systems.noisy_oracle import SLIPS, NoisyOracle
from webassay.systems.oracle import SOLUTIONS

IDS = [f"shop-price-{number}" for number in range(4000)]


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.3, 1.0])
def test_the_share_of_mistakes_is_the_rate(rate: float) -> None:
    wrong = sum(NoisyOracle(rate).goes_wrong(task_id) for task_id in IDS)
    assert wrong / len(IDS) == pytest.approx(rate, abs=0.025)


def test_a_task_has_one_fate_for_each_seed() -> None:
    fates = [[NoisyOracle(0.3, seed).goes_wrong(task_id) for task_id in IDS] for seed in (0, 0, 1)]
    assert fates[0] == fates[1] != fates[2]


def test_more_mistakes_include_the_fewer() -> None:
    assert all(NoisyOracle(0.5).goes_wrong(task_id) for task_id in IDS if NoisyOracle(0.3).goes_wrong(task_id))


@pytest.mark.parametrize("rate", [-0.1, 1.5, float("nan")])
def test_a_rate_is_a_share(rate: float) -> None:
    with pytest.raises(ValueError, match="expected a share"):
        NoisyOracle(rate)


@pytest.mark.parametrize(
    "items, value",
    [
        ({"type": "number", "format": "currency"}, 24.95),
        ({"type": "integer"}, 0),
        ({"type": "boolean"}, False),
        ({"type": "string", "format": "date"}, "2025-02-28"),
        ({"type": "string", "format": "month"}, "December"),
        ({"type": "string", "format": "duration"}, "45 days"),
        ({"type": "string", "format": "duration"}, "9 hours 11 minutes"),
        ({"type": "string", "format": "url"}, "http://forum.localhost/forum/forum/garden-7/"),
        ({"type": "string", "format": "full_address"}, "60 Ormeau Road, Belfast, BT7 1SH"),
        ({"type": "string", "format": "full_address"}, "Hollin Bank Farm, Skipton Road, Ilkley, LS29 0AB"),
        ({"type": "string"}, "Max Feldman"),
    ],
)
def test_a_misread_value_is_of_its_type_and_wrong(items: dict[str, Any], value: Any) -> None:
    other = noisy_oracle._other(value)
    assert type(other) is type(value)
    schema = {"type": "array", "items": items}
    assert not compare(schema, [value], [other]).equal
    assert compare(schema, [other], [other]).equal


def test_a_list_loses_an_item_and_an_object_has_one_wrong_field() -> None:
    response = {"action": "retrieve", "status": "SUCCESS", "results": ["a", "b"], "error_details": None}
    assert noisy_oracle._misread(response)["results"] == ["a"]
    assert noisy_oracle._other({"total": 5.5, "name": "x"}) == {"total": 6.5, "name": "x"}


@pytest.mark.parametrize("action", ["retrieve", "mutate", "navigate"])
@pytest.mark.parametrize("status", ["SUCCESS", "NOT_FOUND_ERROR", "PERMISSION_DENIED_ERROR"])
def test_a_misjudged_status_is_another(action: str, status: str) -> None:
    results = [1] if (action, status) == ("retrieve", "SUCCESS") else None
    wrong = noisy_oracle._misjudged({"action": action, "status": status, "results": results, "error_details": None})
    assert (wrong["status"] == "SUCCESS") != (status == "SUCCESS")
    assert (wrong["results"] is not None) == (action == "retrieve" and wrong["status"] == "SUCCESS")


def test_slips_are_of_templates_that_there_are() -> None:
    assert SLIPS.keys() <= SOLUTIONS.keys()
