"""The release's view of a response, faults included."""

import json
from typing import Any

import pytest

from tests.judges.release.recorded import ENVIRONMENTS, answer, entry, response_evaluator, task
from webassay.judges.release.rules import judge, results

STRING, NUMBER, MONEY = {"type": "string"}, {"type": "number"}, {"type": "number", "format": "currency"}
TRACE = [entry("http://elsewhere.test/")]


def status(response: Any, data: Any, schema: Any, task_type: str = "RETRIEVE", **options: Any) -> str:
    one = task(response_evaluator(task_type, data, schema, **options))
    return judge(one, response, TRACE, ENVIRONMENTS).status


@pytest.mark.parametrize(
    "given, expected, schema, outcome",
    [
        (["Red"], ["red"], STRING, "success"),
        ("'Red'.", ["red"], STRING, "success"),
        (["^.*$"], ["red"], STRING, "success"),  # the agent's pattern
        ([["blue", "red"]], ["red"], STRING, "success"),  # the agent's guesses
        ([["red"]], ["red"], STRING, "failure"),
        ([True], [1], NUMBER, "success"),
        (["5 items"], [5], NUMBER, "failure"),
        (["twenty-three"], [23], NUMBER, "success"),
        (["$12.09"], [12.0], MONEY, "success"),
        (["$-12"], [12], MONEY, "success"),
        (["1,000"], [1], MONEY, "success"),
        (["1,000"], [1000], MONEY, "failure"),
        (["4 min"], ["1 min"], {"type": "string", "format": "duration"}, "success"),
        (["1:30"], ["90 s"], {"type": "string", "format": "duration"}, "success"),
        (["Univ. Carnegie Mellon"], ["Carnegie Mellon University"], {"format": "location-name"}, "success"),
        ([["40.4", "-79.9"]], [[40.4, -79.9]], {"format": "coordinates"}, "success"),
        (["(40.4, -79.9)"], [[40.4, -79.9]], {"format": "coordinates"}, "failure"),
        (['["red"]'], ["red"], STRING, "failure"),
        ('["red"]', ["red"], STRING, "failure"),
        ([0], [0], NUMBER, "success"),
        (None, ["red"], STRING, "failure"),
        (["red", "red"], ["red"], STRING, "failure"),
        (["http://shop.test/a/?b=2&c=1"], ["http://shop.test/a?c=1&b=2"], {"format": "url"}, "success"),
        (["http://shop.test/a?b=2&b=9"], ["http://shop.test/a?b=2"], {"format": "url"}, "success"),
    ],
)
def test_values(given: Any, expected: Any, schema: Any, outcome: str) -> None:
    assert status(answer("RETRIEVE", given), expected, schema) == outcome


@pytest.mark.parametrize(
    "response, outcome",
    [
        ("```json\n{}\n``` or ```{}```", "success"),
        ("```{}```", "success"),
        ("  {}\n", "success"),
        ("my answer: {}", "failure"),
        ("```{}", "failure"),
    ],
)
def test_text_around_the_answer(response: str, outcome: str) -> None:
    text = response.replace("{}", json.dumps(answer("RETRIEVE", ["red"])), 1)
    assert status(text, ["red"], STRING) == outcome


@pytest.mark.parametrize(
    "change, outcome",
    [
        ({"status": "success."}, "success"),
        ({"status": "^.*$"}, "success"),
        ({"status": None}, "error"),
        ({"task_type": ["RETRIEVE"]}, "error"),
        ({"status": "done"}, "failure"),
        ({"more": 1}, "success"),
        ({"task_type": ""}, "failure"),
    ],
)
def test_fields(change: dict[str, Any], outcome: str) -> None:
    assert status(answer("RETRIEVE", ["red"]) | change, ["red"], STRING) == outcome


def test_the_first_fit_may_take_what_another_needs() -> None:
    assert status(answer("RETRIEVE", ["b", "a"]), [["a", "b"], "b"], STRING) == "failure"
    assert status(answer("RETRIEVE", ["a", "b"]), [["a", "b"], "b"], STRING) == "success"


def test_two_empty_arrays_are_a_circle() -> None:
    schema = {"type": "object", "properties": {"tags": {"type": "array", "items": STRING}}}
    assert status(answer("RETRIEVE", [{"tags": []}]), [{"tags": []}], schema) == "success"
    assert status(answer("RETRIEVE", [{"tags": []}, {"tags": []}]), [{"tags": []}, {"tags": []}], schema) == "error"


def test_data_where_none_is_expected() -> None:
    assert status(answer("RETRIEVE", ["x"]), None, None) == "error"
    assert status(answer("MUTATE", ["x"]), None, None, "MUTATE") == "success"


def test_a_task_that_names_no_data_cannot_be_passed() -> None:
    evaluator = response_evaluator("RETRIEVE")
    del evaluator["expected"]["retrieved_data"]
    verdict = judge(task(evaluator), answer("RETRIEVE"), TRACE, ENVIRONMENTS)
    assert (verdict.status, verdict.score) == ("failure", 0.0)
    assert "agent_response_keys_mismatch" in verdict.reason


@pytest.mark.parametrize("trace", [None, [], [{}], ["x"], [5], [entry("http://a.test"), 5]])
def test_a_trace_must_be_there_even_if_none_is_needed(trace: Any) -> None:
    verdict = judge(task(response_evaluator("MUTATE")), answer("MUTATE"), trace, ENVIRONMENTS)
    assert (verdict.status, verdict.score, verdict.attribution) == ("error", None, "harness")


def test_a_failure_says_what_was_expected_and_what_was_read() -> None:
    one = task(response_evaluator("RETRIEVE", ["5 km"], {"format": "distance"}))
    [failed] = judge(one, answer("RETRIEVE", ["7 miles"]), TRACE, ENVIRONMENTS).assertions
    assert failed.name == "response.retrieved_data_array_values_mismatch"
    assert str(failed.normalized["retrieved_data"][0]).startswith("11265.4")
    assert "1 of 1 expected items missing" in failed.reason


@pytest.mark.parametrize(
    "data, reason",
    [
        (["^(([a-z ])+)+[0-9]$"], "pattern"),
        (["^" + "(.*)*" * 8 + "0$"], "pattern"),
        (["9**9**9**9 m"], "powers"),
        (["^a{99999999999}$"], "repetition"),
    ],
)
def test_what_would_never_end_is_an_error_that_says_so(data: Any, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webassay.judges.release.patterns.SECONDS", 0.3)
    schema = {"format": "distance"} if reason == "powers" else STRING
    expected = "5 km" if reason == "powers" else "quest lumaflex band for men and women of every age and size"
    [result] = results(
        task(response_evaluator("RETRIEVE", [expected], schema)), answer("RETRIEVE", data), TRACE, ENVIRONMENTS
    ).results
    assert result.status == "error"
    assert reason in result.error


def test_deep_and_large_answers_end() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert status(answer("RETRIEVE", deep), ["red"], STRING) == "error"
    assert status("[" * 100_000, ["red"], STRING) == "error"
    assert status("```" + "\n" * 1_000_000, ["red"], STRING) == "failure"
    for kind in ("date", "duration", "distance", "number", "currency", "coordinates", "location-name", "markdown"):
        expected = {"number": 1, "currency": 1, "coordinates": [1, 2], "date": "2024-04-05"}.get(kind, "5 min")
        expected = "5 km" if kind == "distance" else expected
        assert status(answer("RETRIEVE", ["[(1:" * 250_000]), [expected], {"format": kind}) in ("failure", "success")
