"""Arrays, objects, alternatives and patterns; and that the agent's side is only ever one literal value."""

import re
import time

import pytest
from hypothesis import given

from tests.matching.reading import EXPECTED, JSON, unhurried
from webassay.errors import JudgeError
from webassay.matching.compare import MAX_NORMALIZED, check_expectation, compare, normalized
from webassay.matching.pattern import matches_pattern
from webassay.matching.tolerance import Tolerances
from webassay.matching.types import TYPES

STRING = {"type": "string"}
TEXT = {"type": "text"}
NUMBER = {"type": "number"}
MONEY = {"type": "number", "format": "currency"}
PERSON = {"type": "object", "properties": {"name": STRING, "tags": {"type": "array", "items": STRING}, "paid": MONEY}}


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
        (array(STRING), ["^#?\\s*0*170$"], ['"# 170".']),
        (array(STRING), ["^#?\\s*0*170$"], [170]),
        (array(STRING), ["^.*MIT.*License.*$"], ["The\nMIT\n\nLicense\n"]),
        (array(TEXT), ["^.*MIT.*License.*$"], ["The\r\nmit\n\nLicense\n"]),
        (array(TEXT), ["^0*170$"], [170]),
        (array(PERSON), [{"name": "A", "undeclared": "b"}], [{"name": "a", "undeclared": "B"}]),
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
        (array(TEXT), ["^a+$"], ['"a".']),
        (array(PERSON), [{"name": "A"}], [{"name": "a", "paid": 5}]),
        (array(PERSON), [{"name": "A", "paid": 5}], [{"name": "a"}]),
        (array(PERSON), [{"name": "A"}], [{"Name": "a"}]),
        (array(PERSON), [{"name": "A"}], ["a"]),
        (array(PERSON), [{"name": "A"}], ['{"name": "A"}']),
        (array(STRING), ["a"], '["a"]'),
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
        (array({"type": "string", "format": "colour"}), "colour"),
        (array({"format": "object"}), "None"),
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
@unhurried
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


@pytest.mark.parametrize(
    "pattern, text",
    [
        ("^(.*a)*.*b$", "a" * 1_000_000),
        ("^(a|aa)+$", "a" * 50_000 + "b"),
        ("^.*MIT.*License.*$", "MIT" * 33_000),
        (
            "^<!doctype html>.*<head>.*<title>Hello</title>.*</head>.*</html>$",
            "<!doctype html>" + "<head><title>Hello</title></head>" * 3_000,
        ),
    ],
)
def test_a_hostile_text_ends_soon_and_with_a_reason(pattern, text):
    started = time.process_time()
    comparison = compare(STRING, pattern, text)
    assert not comparison.equal and comparison.reason
    assert time.process_time() - started < 20


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "hostile",
    [
        "a" * 10_000_000,
        "é\N{ZERO WIDTH SPACE}" * 500_000,
        "[" * 200_000,
        "![" * 25_000,
        '"' * 200_000,
        " - " * 60_000,
        "\ud800" * 64,
        "²" * 200_000,
        10**5_000,
        float("nan"),
        [[[[[[[[]]]]]]]] * 100_000,
        {"latitude": 10**400, "longitude": {}},
        {str(number): number for number in range(50_000)},
    ],
    ids=range(13),
)
def test_hostile_values_differ_soon(kind, hostile):
    started = time.process_time()
    comparison = compare({"type": kind}, EXPECTED[kind], hostile)
    assert not comparison.equal and 0 < len(comparison.reason) < 2_000
    assert time.process_time() - started < 20


def test_nesting_without_end_is_shown_without_following_it():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for kind in TYPES:
        assert not compare({"type": kind}, EXPECTED[kind], deep).equal
    assert not compare(array(STRING), ["a"], deep).equal


@pytest.mark.parametrize("kind", [name for name in TYPES if name != "null"])
@pytest.mark.parametrize("wrap", [lambda right: [right, right], lambda right: [right], lambda right: "^.*$"])
def test_no_type_takes_a_list_of_guesses_or_a_pattern(kind, wrap):
    schema = {"type": kind}
    assert compare(schema, EXPECTED[kind], EXPECTED[kind]).equal
    assert not compare(schema, EXPECTED[kind], wrap(EXPECTED[kind])).equal
    assert not compare(array(schema), [EXPECTED[kind]], [wrap(EXPECTED[kind])]).equal


def test_tolerances_reach_every_leaf():
    schema = array({"type": "object", "properties": {"way": {"format": "distance"}, "paid": MONEY}})
    expected, actual = [{"way": "1 km", "paid": 5}], [{"way": "1.1 km", "paid": 5.05}]
    assert not compare(schema, expected, actual).equal
    assert compare(schema, expected, actual, tolerances=Tolerances(distance_relative=0.2, currency=1)).equal


def test_a_pattern_on_its_own_fails_quietly():
    assert matches_pattern("^a+$", " AAA ")
    assert not matches_pattern("^a+$", "AAA", re.NOFLAG)
    assert not matches_pattern("^(a|aa)+$", "a" * 50_000 + "b")


def test_normalized_shows_what_was_compared():
    given_value = [{"name": " Ä ", "paid": "$1,000.00", "tags": "x", "other": 1}]
    (shown,) = normalized(array(PERSON), given_value)
    assert (shown["name"], str(shown["paid"].amount), shown["tags"], shown["other"]) == ("ä", "1000.00", "x", 1)


@pytest.mark.parametrize("wrap", [lambda item: item, lambda item: [item], lambda item: {"tags": [item]}])
def test_normalized_reads_only_so_many_values_and_keeps_the_rest(wrap):
    texts = [f" A{number}" for number in range(9_000)]
    schema = {"type": "object", "properties": {"tags": array(STRING)}}
    items = {str: STRING, list: array(STRING), dict: schema}[type(wrap(""))]
    found = normalized(array(items), [wrap(text) for text in texts])
    read = [wrap(text.strip().lower()) for text in texts[:MAX_NORMALIZED]]
    assert found == [*read, *(wrap(text) for text in texts[MAX_NORMALIZED:])]


def test_many_hostile_items_are_normalized_soon():
    items = [f"{'1a ' * 20}{number:04}" for number in range(9_000)]
    started = time.process_time()
    assert normalized(array({"format": "duration"}), items) == items
    assert time.process_time() - started < 1
