"""Structured answers: both spellings, the schema's conditionals, and text that is out to break the reader."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webassay.core.response import MAX_TEXT, STATUSES, ParseFailure, Response, parse_response

GOOD = {"action": "retrieve", "status": "SUCCESS", "results": ["a"], "error_details": None}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def kind(answer: object) -> str:
    parsed = parse_response(answer)
    assert isinstance(parsed, ParseFailure), parsed
    assert parsed.reason
    return parsed.kind


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        json.dumps(GOOD),
        f"  {json.dumps(GOOD)}\n",
        f"\ufeff{json.dumps(GOOD)}",
        f"```json\n{json.dumps(GOOD)}\n```",
        f"\ufeff```JSON\n{json.dumps(GOOD)}\n```",
        f"Here it is:\n```\n{json.dumps(GOOD)}\n```\nDone.",
        f"```python\nprint(1)\n```\n```json\n{json.dumps(GOOD)}\n```",
        f"\N{NO-BREAK SPACE}{json.dumps(GOOD)}\N{NO-BREAK SPACE}",
        f"``` json\n{json.dumps(GOOD)}\n```",
        f"```jsonc\r\n{json.dumps(GOOD)}\r\n```",
        f"```javascript\n{json.dumps(GOOD, indent=2)}\n```",
        f"~~~json\n{json.dumps(GOOD)}\n~~~",
        f"````json\n{json.dumps(GOOD)}\n````",
        f"```json {json.dumps(GOOD)}```",
        f"It is: ```{json.dumps(GOOD)}```",
        f"```json\n{json.dumps(GOOD)}",
        f"Done.\n```json\n{json.dumps(GOOD | {'thoughts': 'use ``` here, ~~~ there'})}\n```\nBye.",
        {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": ["a"]},
        {"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": "a"},
        {"performed_operation": "RETRIEVE", "status": "SUCCESS", "retrieved_data": ["a"], "error_details": None},
        GOOD | {"thoughts": "not ours to judge"},
        GOOD | {"action": " Retrieve", "status": "success\N{NO-BREAK SPACE}\n"},
    ],
)
def test_reads_either_spelling_from_text_fence_or_object(answer):
    assert parse_response(answer) == Response("retrieve", "SUCCESS", ["a"])


def test_a_json_text_may_hold_a_fence():
    answer = GOOD | {"results": ["```json\n{}\n```"]}
    assert parse_response(json.dumps(answer)) == Response("retrieve", "SUCCESS", ["```json\n{}\n```"])


@pytest.mark.parametrize("data", [2, 0, False, "x", {"a": 1}])
def test_a_bare_value_in_the_release_s_spelling_is_a_list_of_one(data):
    parsed = parse_response({"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": data})
    assert isinstance(parsed, Response) and parsed.results == [data]


def test_all_eight_codes_and_the_release_s_six():
    paper = {code for code, meanings in STATUSES.items() if meanings == {code}}
    assert len(paper) == 8
    assert set().union(*STATUSES.values()) == paper
    assert len({code for code in STATUSES if code.endswith("_ERROR")} | {"SUCCESS"}) == 6


@pytest.mark.parametrize("code", STATUSES)
def test_every_code_is_accepted(code):
    results = ["a"] if code == "SUCCESS" else None
    assert isinstance(parse_response({"action": "retrieve", "status": code, "results": results}), Response)


@pytest.mark.parametrize(
    "one, other, agree",
    [
        ("NOT_FOUND_ERROR", "SEARCH_CRITERIA_NO_MATCH", True),
        ("NOT_FOUND_ERROR", "RESOURCE_NOT_FOUND", True),
        ("SEARCH_CRITERIA_NO_MATCH", "RESOURCE_NOT_FOUND", False),
        ("ACTION_NOT_ALLOWED_ERROR", "NOT_SUPPORTED_BY_PLATFORM", True),
        ("ACTION_NOT_ALLOWED_ERROR", "PERMISSION_DENIED", False),
        ("UNKNOWN_ERROR", "UNKNOWN", True),
        ("SUCCESS", "UNKNOWN", False),
    ],
)
def test_codes_agree_where_one_covers_the_other(one, other, agree):
    first, second = Response("mutate", one, None), Response("mutate", other, None)
    assert first.agrees_in_status(second) is agree
    assert second.agrees_in_status(first) is agree


@pytest.mark.parametrize("action", ["retrieve", "mutate", "navigate"])
@pytest.mark.parametrize("status", ["SUCCESS", "NOT_FOUND_ERROR", "UNKNOWN"])
@pytest.mark.parametrize("results", [None, [], ["a"]])
def test_results_are_a_list_exactly_when_a_retrieve_succeeded(action, status, results):
    parsed = parse_response({"action": action, "status": status, "results": results})
    valid = bool(results) if (action, status) == ("retrieve", "SUCCESS") else results is None
    assert isinstance(parsed, Response) is valid


@pytest.mark.parametrize("action, status", [("MUTATE", "SUCCESS"), ("RETRIEVE", "NOT_FOUND_ERROR")])
def test_an_empty_list_in_the_release_s_spelling_is_null_where_no_data_are_to_be_given(action, status):
    parsed = parse_response({"task_type": action, "status": status, "retrieved_data": []})
    assert parsed == Response(action.lower(), status, None)
    assert kind({"task_type": action, "status": status, "results": []}) == "schema"


def test_a_retrieve_that_succeeded_has_data_in_either_spelling():
    assert kind({"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": []}) == "schema"


@pytest.mark.parametrize(
    "more",
    [
        '"status": "UNKNOWN"',
        '"status": "SUCCESS"',
        '"\\u0073tatus": "UNKNOWN"',
        '"x": {"a": 1, "a": 1}',
        '"x": [[{"b": {"a": 1, "c": 2, "a": 3}}]]',
        '"x": [[[[1]]]], "x": 1',
        '"x": ' + "[" * 200 + "]" * 200 + ', "x": 1',
    ],
)
def test_a_key_given_twice_is_two_guesses(more):
    text = json.dumps(GOOD | {"thoughts": 'a "status": b'})
    assert isinstance(parse_response(text), Response)
    assert kind(f"{text[:-1]}, {more}}}") == "schema"
    assert kind(f"```json\n{text[:-1]}, {more}}}\n```") == "schema"


def test_the_last_of_many_keys_given_twice_is_found_soon():
    keys = ", ".join(f'"{number}": 0' for number in range(70_000))
    started = time.process_time()
    assert kind(f'{{{keys}, "69999": 0}}') == "schema"
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "change",
    [
        {"action": "guess"},
        {"status": "\u017fucce\u017fs"},
        {"action": None},
        {"action": ["retrieve"]},
        {"status": "success!"},
        {"status": 200},
        {"status": None},
        {"results": "a"},
        {"results": {"0": "a"}},
        {"error_details": 5},
        {"retrieved_data": ["b"]},
        {"task_type": "MUTATE"},
    ],
)
def test_each_broken_field_is_a_schema_failure(change):
    assert kind(GOOD | change) == "schema"


@pytest.mark.parametrize("field", ["action", "status"])
def test_a_missing_field_is_named(field):
    parsed = parse_response({key: value for key, value in GOOD.items() if key != field})
    assert isinstance(parsed, ParseFailure) and field in parsed.reason


@pytest.mark.parametrize(
    "answer, expected",
    [
        (None, "empty"),
        ("", "empty"),
        (" \n", "empty"),
        ("null", "empty"),
        ("N/A", "not_json"),
        ("yes", "not_json"),
        ("0", "not_an_object"),
        ([GOOD], "not_an_object"),
        (0, "not_an_object"),
        (f"The answer: {json.dumps(GOOD)}", "not_json"),
        (f"```json\n{json.dumps(GOOD)}\n```\n```json\n{json.dumps(GOOD)}\n```", "not_json"),
        ("```json\n```", "not_json"),
        (f"Here: {json.dumps(GOOD)}", "not_json"),
        (f"{json.dumps(GOOD)}\nDone.", "not_json"),
        (f"```python\nx = 1\n```\n{json.dumps(GOOD)}", "not_json"),
        (f"```json\n{json.dumps(GOOD)}\n{json.dumps(GOOD)}\n```", "not_json"),
        (f"```json\n{json.dumps(GOOD)}\n```\n~~~\n[1]\n~~~", "not_json"),
        (GOOD | {"results": "a"}, "schema"),
        (GOOD | {"results": {"a": 1}}, "schema"),
        ({}, "schema"),
        ("{}", "schema"),
    ],
)
def test_what_is_no_response_has_a_kind(answer, expected):
    assert kind(answer) == expected


def deep(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


LOOP: dict[str, object] = dict(GOOD)
LOOP["results"] = [LOOP]


@pytest.mark.parametrize(
    "answer",
    [
        "x" * 10_000_000,
        '{"action": "' + "x" * 10_000_000 + '"}',
        GOOD | {"results": ["x" * (MAX_TEXT + 1)]},
        GOOD | {"results": [0] * 10_000_000},
        GOOD | {"results": deep(100_000)},
        '{"results": ' + "[" * 400_000,
        '{"results": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "```" * 300_000,
        "```[" * 200_000,
        "```[]" * 200_000,
        LOOP,
        "{" + ", ".join(f'"{number}": 0' for number in range(70_000)) + "}",
        '{"a": 1, "a": ' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=[
        *("text", "string", "object-string", "items", "deep-object", "open-text", "deep-text", "fences"),
        *("arrays", "empty-arrays", "loop", "keys", "deep-twice"),
    ],
)
def test_hostile_sizes_end_soon_and_with_a_reason(answer):
    started = time.process_time()
    assert kind(answer) in ("too_large", "not_json")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "results",
    ["NaN", "Infinity", "1e400", "1" + "0" * 400, "1" * 5000, '"\\ud800"', '"\ud800"', "[1,]", "'a'", "undefined"],
)
def test_values_that_json_cannot_hold(results):
    assert kind(f'{{"action": "retrieve", "status": "SUCCESS", "results": [{results}]}}') == "not_json"


@pytest.mark.parametrize(
    "item", [float("nan"), float("inf"), 10**400, "\ud800", {"\udfff": 1}, {1: 2}, (1,), b"a", object()]
)
def test_values_that_python_can_hold_and_json_cannot(item):
    assert kind(GOOD | {"results": [item]}) == "not_json"


@given(JSON)
def test_any_json_is_read_or_refused(value):
    assert isinstance(parse_response(value), Response | ParseFailure)
    assert isinstance(parse_response(json.dumps(value)), Response | ParseFailure)


@given(st.text())
def test_any_text_is_refused_with_a_reason(text):
    parsed = parse_response(text)
    assert isinstance(parsed, ParseFailure) and parsed.reason


@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*GOOD, "task_type", "retrieved_data"], JSON)))
def test_any_object_with_our_names_is_read_or_refused(value):
    assert isinstance(parse_response(value), Response | ParseFailure)
