"""The harness's rules one by one."""

import json
from typing import Any

import pytest

from webassay.judges.webarena.answer import plain_answer
from webassay.judges.webarena.strings import clean, includes, includes_any, is_equal
from webassay.judges.webarena.tokens import words
from webassay.judges.webarena.urls import is_at

GITLAB = "http://gitlab.example"


@pytest.mark.parametrize(
    "text, cleaned",
    [
        (" Yes \n", "yes"),
        ("'Yes'", "yes"),
        ('"Yes"', "yes"),
        ("'Yes\"", "'yes\""),
        ("''a''", "'a'"),
        ("'", ""),
        ("", ""),
    ],
)
def test_an_answer_is_cleaned_of_one_pair_of_quotes(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    "wanted, given, equal",
    [("N/A", "n/a", True), ("N/A", '"N/A"', True), ("N/A", "N/A.", False), ("1.7km", "1.7 km", False)],
)
def test_equal(wanted: str, given: str, equal: bool) -> None:
    assert is_equal(wanted, given) is equal


@pytest.mark.parametrize(
    "given, wanted, alone, found",
    [
        ("The total is 754.99 USD", "754.99", True, True),
        ("1754.99", "754.99", True, True),
        ("there are 10 of them", "0", True, False),
        ("there are 10 of them", "0", False, True),
        ("there are 0 of them", "0", True, True),
        ("10", "10", True, True),
        ("110", "10", True, True),
        ("anything", "", True, True),
    ],
)
def test_included(given: str, wanted: str, alone: bool, found: bool) -> None:
    assert includes(given, wanted, alone=alone) is found


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("0", ["0"]),
        ("0.", ["0", "."]),
        ('0.")', ["0", ".", '"', ")"]),
        ("0. that is all", ["0.", "that", "is", "all"]),
        ("0.0", ["0.0"]),
        ("1,000 at 9:30, 0", ["1,000", "at", "9:30", ",", "0"]),
        ("$0", ["$", "0"]),
        ("0%", ["0", "%"]),
        ("(0)", ["(", "0", ")"]),
        ("'0'", ["'", "0", "'"]),
        ("“0”", ["“", "0", "”"]),
        ("0's", ["0", "'s"]),
        ("it isn't 0!", ["it", "is", "n't", "0", "!"]),
        ("0-5", ["0-5"]),
        ("0–5", ["0", "–", "5"]),
        ("0--5", ["0", "--", "5"]),
        ("0..5", ["0", "..", "5"]),
        ("0/5", ["0/5"]),
        ("a:0", ["a:0"]),
        ("a: 0", ["a", ":", "0"]),
    ],
)
def test_words_are_those_of_nltk(text: str, tokens: list[str]) -> None:
    """Checked against NLTK 3.10's word tokenizer, which writes double quotes in another way."""
    assert words(text) == tokens


def test_a_page_may_have_one_of_several_texts() -> None:
    assert includes_any("on sale", "sold |OR| sale") and not includes_any("on offer", "sold |OR| sale")
    assert includes_any("10", "0"), "characters are found within words there"


@pytest.mark.parametrize(
    "url, reference, rule, there",
    [
        ("/a/b/", "/a/b", "GOLD in PRED", True),
        ("/a/b/c?x=1", "/a/b", "GOLD in PRED", True),
        ("/a", "/a/b", "GOLD in PRED", False),
        ("/a?sort=up&page=2", "/a?sort=up", "GOLD in PRED", True),
        ("/a?sort=down", "/a?sort=up", "GOLD in PRED", False),
        ("/a", "/a?sort=up", "GOLD in PRED", False),
        ("/i/?label%5B%5D=help%20wanted", "/i/?label[]=help+wanted", "GOLD in PRED", True),
        ("/i?l=a&l=b", "/i?l=b", "GOLD in PRED", True),
        ("/i?l=b", "/i?l=a&l=b", "GOLD in PRED", True),
        ("/y", "/x |OR| {}/y", "GOLD in PRED", True),
        ("/z", "/x |OR| {}/y", "GOLD in PRED", False),
        ("/x?q=2", "/x?q=1 |OR| {}/y?q=2", "GOLD in PRED", True),
        ("/a/", "/a", "EXACT", True),
        ("/a/b", "/a", "EXACT", False),
        ("/a?x=1", "/a", "EXACT", False),
        ("/y", "/x |OR| {}/y/", "EXACT", True),
    ],
)
def test_the_last_page(url: str, reference: str, rule: str, there: bool) -> None:
    assert is_at(GITLAB + url, GITLAB + reference.format(GITLAB), rule) is there


def test_another_host_or_scheme() -> None:
    assert not is_at("about:blank", f"{GITLAB}/a", "GOLD in PRED")
    assert is_at("https://gitlab.example/a", f"{GITLAB}/a", "GOLD in PRED"), "the scheme is not looked at"
    assert not is_at("https://gitlab.example/a", f"{GITLAB}/a", "EXACT")


def response(*results: Any, status: str = "SUCCESS", action: str = "retrieve") -> str:
    return json.dumps({"action": action, "status": status, "results": list(results) or None})


@pytest.mark.parametrize(
    "answer, plain",
    [
        (response("Emma", 3, 45.95), "Emma, 3, 45.95"),
        (response(45.0, 12.50, 0.0, 1e22, 1e-7), "45, 12.5, 0, 10000000000000000000000, 0.0000001"),
        (response(True, False, None), "Yes, No"),
        (response({"name": "Emma", "seen": [1, {"at": "noon"}]}), "Emma, 1, noon"),
        (response(status="NOT_FOUND_ERROR"), "N/A"),
        (response(status="PERMISSION_DENIED", action="mutate"), "N/A"),
        (response(action="mutate"), ""),
        (response(action="navigate"), ""),
        ('{"task_type": "RETRIEVE", "status": "SUCCESS", "retrieved_data": ["x"]}', "x"),
        ('Here it is:\n```json\n{"action": "retrieve", "status": "SUCCESS", "results": ["x"]}\n```', "x"),
        ("It costs 45.95", "It costs 45.95"),
        ("", ""),
        ("[1, 2]", "[1, 2]"),
        ('{"action": "retrieve", "status": "SUCCESS", "results": []}',) * 2,
    ],
)
def test_a_structured_answer_is_read_as_text(answer: str, plain: str) -> None:
    assert plain_answer(answer) == plain
