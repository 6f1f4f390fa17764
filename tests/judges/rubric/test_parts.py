"""Parts of the Universal Verifier that ask nobody: rubrics, grouping, points, codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webassay.core.events import Event
from webassay.judges.rubric.answers import FailurePoint
from webassay.judges.rubric.evidence import group
from webassay.judges.rubric.items import Item, Scored, read_rubric, total
from webassay.judges.rubric.taxonomy import first_step, tool_errors


def test_nested_criteria_inherit_their_condition() -> None:
    inner = {"criterion": "b", "max_points": "2", "condition": "it rains"}
    raw = {
        "items": [
            {"criterion": "a", "max_points": 1},
            {"criterion": "x", "condition": "it is Monday", "items": [inner]},
        ]
    }
    assert read_rubric(raw) == (Item("a", "", 1.0), Item("b", "", 2.0, "it is Monday and it rains"))


@pytest.mark.parametrize(
    "raw",
    [None, [], {}, {"items": []}, {"items": [{"criterion": "", "max_points": 1}]}, {"items": [{"criterion": "a"}]}]
    + [{"items": [{"criterion": "a", "max_points": points}]} for points in (0, -1, 1e9, "many", None)],
)
def test_what_is_no_rubric_is_a_value_error(raw: object) -> None:
    with pytest.raises(ValueError):
        read_rubric(raw)


@pytest.mark.parametrize(
    "scores, most, chosen",
    [
        ({1: 9, 2: 9, 3: 1}, 5, [2, 1]),
        ({1: 9, 2: 8, 3: 7}, 2, [1, 2]),
        ({1: 4, 2: 2, 3: 0}, 5, [1, 2, 3]),
        ({1: 6, 2: 4, 3: 3}, 5, [1, 2]),
        ({1: 9, 2: 7, 3: 5, 4: 4}, 5, [1, 2, 3]),
        ({}, 5, []),
    ],
)
def test_the_best_screenshots_of_a_criterion(scores: dict[int, int], most: int, chosen: list[int]) -> None:
    assert group({number: [score] for number, score in scores.items()}, 1, most) == {0: chosen}


@given(st.dictionaries(st.integers(1, 30), st.lists(st.integers(0, 10), min_size=2, max_size=2)), st.integers(1, 6))
def test_the_best_one_is_always_among_them(relevance: dict[int, list[int]], most: int) -> None:
    for criterion, chosen in group(relevance, 2, most).items():
        assert len(chosen) <= most and len(set(chosen)) == len(chosen)
        if relevance:
            assert relevance[chosen[0]][criterion] == max(scores[criterion] for scores in relevance.values())


def scored(earned: float, most: float, verifiable: bool = True, met: bool = True) -> Scored:
    return Scored(Item("a", "", most), earned, verifiable, met, "", "")


def test_points() -> None:
    points = total([scored(4, 4), scored(6, 6, verifiable=False), scored(0, 5, met=False), scored(0, 2)])
    assert (points.earned, points.lenient, points.most, points.unverifiable) == (4, 10, 12, 1)
    assert points.share("strict") == 4 / 12 and points.share("lenient") == 10 / 12
    assert total([scored(0, 5, met=False)]).share("strict") is None


def test_penalties_of_an_earlier_judging_are_no_criteria() -> None:
    penalty = {"criterion": "bought a stove", "max_points": 5, "penalty": True, "post_image_earned_points": 0}
    criterion = {"criterion": "a", "max_points": 1, "earned_points": 1}
    assert read_rubric({"items": [criterion, penalty]}) == (Item("a", "", 1.0),)


@pytest.mark.parametrize(
    "numbers, first", [("5", 5), ("5-7", 5), ("8,5", 5), ("9, 7-8", 7), (" 3 ", 3), ("step 3", None), ("", None)]
)
def test_the_first_of_a_failures_steps(numbers: str, first: int | None) -> None:
    assert first_step(FailurePoint(numbers, "1.1", "x")) == first


@pytest.mark.parametrize(
    "arguments, codes",
    [
        ({"action": "left_click", "coordinate": [1, 2], "thoughts": "", "_call_id": "x"}, []),
        ({"action": "click", "coordinate": [1, 2]}, []),
        ({"action": "left_click", "element": 3}, ["6.1"]),
        ({"action": "teleport"}, ["6.2"]),
        ({}, ["6.2"]),
    ],
)
def test_tools_that_webevals_agent_does_not_have(arguments: dict[str, object], codes: list[str]) -> None:
    steps = [Event(action="computer_use", arguments=arguments), Event(action="somebody_elses", arguments={"x": 1})]
    assert [point.error_code for point in tool_errors(steps)] == codes
