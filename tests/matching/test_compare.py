"""Arrays, objects, alternatives and patterns; and that the agent's side is only ever one literal value."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webassay.errors import JudgeError
from webassay.matching.compare import TYPES, check_expectation, compare, normalized

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
STRING = {"type": "string"}
NUMBER = {"type": "number"}
MONEY = {"type": "number", "format": "currency"}
PERSON = {"type": "object", "properties": {"name": STRING, "tags": {"type": "array", "items": STRING}, "paid": MONEY}}
EXPECTED = {
    "string": "a",
    "number": 1,
    "integer": 1,
    "boolean": True,
    "null": None,
    "currency": "$1.00",
    "date": "2024-04-05",
    "month": "May",
    "url": "http://a.b/",
}


def array(items: object) -> dict[str, object]:
    return {"type": "array", "items": items}


@pytest.mark.parametrize(
    "schema, expected, actual",
    [
        (array(STRING), ["a", "b"], ["B", "A"]),
        (array(NUMBER), [1, 1, 2], [2, "1", 1.0]),
        (array(STRING), [["a", "b"], "a"], ["a", "b"]),
        (array(STRING), [["Yoga Strap", "Band"]], ["band"]),
        (array(STRING), ["^16(?:\\.0+)?\\s*inch(?:es)?$"], ["16 Inches"]),
        (array(PERSON), [{"name": "A", "tags": ["x", "y"]}], [{"tags": ["y", "x"], "name": "a"}]),
        (array(PERSON), [{"name": "A", "paid": 5}], [{"paid": "$5", "name": "a"}]),
        (array(PERSON), [{"name": "A"}], [{"name": "a"}]),
        ({"type": "null"}, None, None),
        (array(STRING), None, None),
        (array(STRING), [None], [None]),
    ],
)
def test_equal(schema, expected, actual):
    check_expectation(schema, expected)
    comparison = compare(schema, expected, actual)
    assert comparison.equal and not comparison.reason


@pytest.mark.parametrize(
    "schema, expected, actual",
    [
        (array(STRING), ["a"], ["a", "b"]),
        (array(STRING), ["a", "b"], ["a"]),
        (array(STRING), ["a", "a", "b"], ["a", "b", "b"]),
        (array(STRING), ["a"], "a"),
        (array(STRING), ["a"], None),
        (array(STRING), ["a"], []),
        (array(STRING), None, []),
        (array(STRING), [None], [""]),
        (array(STRING), ["a"], ["^.*$"]),
        (array(STRING), ["a"], [["a", "b"]]),
        (array(STRING), ["a"], [["a"]]),
        (array({"type": "boolean"}), [True], [[True, False]]),
        (array(NUMBER), [5], [list(range(60))]),
        (array(NUMBER), [1], [True]),
        (array(STRING), ["^16 inch$"], ["^16 inch$"]),
        (array(STRING), ["^a.*$"], ["b"]),
        (array(STRING), ["^a.*$"], [5]),
        (array(PERSON), [{"name": "A"}], [{"name": "a", "paid": 5}]),
        (array(PERSON), [{"name": "A", "paid": 5}], [{"name": "a"}]),
        (array(PERSON), [{"name": "A"}], [{"Name": "a"}]),
        (array(PERSON), [{"name": "A"}], ["a"]),
        (array(PERSON), [{"name": "A", "paid": 5}], [{"name": "A", "paid": 5.01}]),
        (array({"type": "string", "format": "url"}), ["http://a.b/"], ["^.*$"]),
    ],
)
def test_unequal_with_a_reason(schema, expected, actual):
    comparison = compare(schema, expected, actual)
    assert not comparison.equal and comparison.reason


def test_order_counts_only_where_the_task_says_so():
    assert compare(array(STRING), ["a", "b"], ["b", "a"]).equal
    assert not compare(array(STRING), ["a", "b"], ["b", "a"], ordered=True).equal
    assert compare(array(STRING), ["a", "b"], ["a", "b"], ordered=True).equal


@pytest.mark.parametrize(
    "schema, named",
    [
        (array({"type": "string", "format": "duration"}), "duration"),
        (array({"format": "coordinates"}), "coordinates"),
        (array({"type": "object", "properties": {"x": {"type": "colour"}}}), "colour"),
        (array({"type": ["string", "null"]}), "string"),
        (array({"type": "object"}), "properties"),
        ({"type": "array"}, "None"),
        ({}, "None"),
    ],
)
def test_an_unknown_type_is_named(schema, named):
    with pytest.raises(JudgeError, match=named):
        check_expectation(schema, None)


@pytest.mark.parametrize(
    "schema, expected",
    [
        (array(NUMBER), ["many"]),
        (array(STRING), "a"),
        (array(STRING), [[]]),
        (array(STRING), ["^($"]),
        (array(PERSON), [{"age": 5}]),
        (array(PERSON), [{"name": "a", "paid": "much"}]),
        (array(PERSON), ["a"]),
        ({"type": "null"}, "a"),
    ],
)
def test_a_broken_expectation_is_the_task_s_fault(schema, expected):
    with pytest.raises(JudgeError):
        check_expectation(schema, expected)


@pytest.mark.parametrize("name", TYPES)
@given(actual=JSON)
def test_no_answer_raises(name, actual):
    schema = {"type": name}
    assert compare(schema, EXPECTED[name], actual).equal in (True, False)
    compare(array(schema), [EXPECTED[name], EXPECTED[name]], actual)
    compare(array(PERSON), [{"name": "a", "tags": ["x"]}, {"paid": 1}], actual)
    normalized(array(PERSON), actual)


@given(JSON.filter(lambda value: value not in ("a", "A")))
def test_only_the_text_itself_equals_it(actual):
    assert not compare(STRING, "a", actual).equal or str(actual).strip().casefold() == "a" or not str(actual).isascii()


def test_a_long_text_ends_soon_even_under_a_careless_pattern():
    started = time.process_time()
    assert not compare(STRING, "^(.*a)*.*b$", "a" * 1_000_000).equal
    assert time.process_time() - started < 5


def test_normalized_shows_what_was_compared():
    given_value = [{"name": " Ä ", "paid": "$1,000.00", "tags": "x", "other": 1}]
    (shown,) = normalized(array(PERSON), given_value)
    assert (shown["name"], str(shown["paid"].amount), shown["tags"], shown["other"]) == ("ä", "1000.00", "x", 1)
