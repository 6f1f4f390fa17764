"""Documents and other texts with a form of their own: JSON, Markdown, base64, lists, addresses of git."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.matching.reading import JSON, same, unhurried
from webassay.matching.compare import compare
from webassay.matching.types import TYPES
from webassay.matching.value import NotOfType

NOLAN = "# nolan_old_fans\n\n- Following\n- Memento\n- The Prestige"
LINKS = "## Threads\n\n- [Fix this vent](http://r.localhost/f/DIY/1/fix)\n- [Soffit](http://r.localhost/f/DIY/2/soffit)"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SAME: dict[str, list[tuple[Any, Any]]] = {
    "json": [
        ('{"a": 1, "b": [true, null]}', '{ "b":[true,null],\n"a":1.0 }'),
        ('{"a": 1}', {"a": 1}),
        ("[]", []),
        ('"x"', '"\\u0078"'),
    ],
    "markdown": [
        (NOLAN, NOLAN.replace("- ", "* ")),
        (NOLAN, NOLAN.replace("\n", "\r\n") + "\n\n"),
        (NOLAN, NOLAN.replace("\n- ", "\n\n+   ")),
        (NOLAN, "nolan_old_fans\n===\n- Following\n- **Memento**\n- _The_ Prestige"),
        (LINKS, LINKS.replace("Fix this vent", "Fix this\n  vent")),
        (LINKS, LINKS.replace("## Threads", "##   Threads  ##")),
        ("- 1993–2003: Early career", "- 1993-2003: Early career"),
        ("it’s", "it's"),
    ],
    "base64": [(encoded("MIT License\nText"), encoded("MIT License\r\nText\r\n"))],
    "string_list": [("5,1842", "1842, 5"), ("a, B", "b,A,"), ("5,5,7", "5,7,5")],
    "url": [
        ("git@__SSH_HOST__:root/metaseq.git", "git@gitlab.localhost:root/metaseq.git"),
        ("git@__SSH_HOST__:root/metaseq.git", "ssh://git@gitlab.localhost:2222/root/metaseq.git/"),
        ("git@gitlab.localhost:root/metaseq.git", "ssh://git@GitLab.localhost/root/metaseq.git"),
    ],
}
DIFFERENT: dict[str, list[tuple[Any, Any]]] = {
    "json": [
        ('{"a": 1}', '{"a": "1"}'),
        ('{"a": 1}', '{"a": true}'),
        ('{"a": 1}', '{"A": 1}'),
        ('{"a": 1}', '{"a": 1, "b": null}'),
        ("[1, 2]", "[2, 1]"),
        ("{}", "[]"),
        ('"a"', '"A"'),
        ("null", "false"),
    ],
    "markdown": [
        (NOLAN, NOLAN.replace("Memento", "memento")),
        (NOLAN, NOLAN.replace("# ", "## ")),
        (NOLAN, NOLAN.replace("# ", "")),
        (NOLAN, NOLAN.replace("- Memento\n", "")),
        (NOLAN, NOLAN.replace("- Following\n- Memento", "- Memento\n- Following")),
        (NOLAN, NOLAN.replace("- ", "1. ")),
        (NOLAN, NOLAN.replace("- Memento", "  - Memento")),
        (NOLAN, f"{NOLAN}\n\nmore"),
        (LINKS, LINKS.replace("/1/", "/3/")),
        (LINKS, LINKS.replace("[Soffit]", "[Attic]")),
        (LINKS, LINKS.replace("[", "").replace("]", " ")),
        ("`a`", "'a'"),
    ],
    "base64": [(encoded("MIT License"), encoded("mit license")), (encoded("a"), encoded("a b"))],
    "string_list": [("5,1842", "5"), ("5,1842", "5,1842,1842"), ("5,1842", "51842"), ("5", "6")],
    "url": [
        ("git@__SSH_HOST__:root/metaseq.git", "git@gitlab.localhost:root/metaseq"),
        ("git@__SSH_HOST__:root/metaseq.git", "git@gitlab.localhost:evil/root/metaseq.git"),
        ("git@__SSH_HOST__:root/metaseq.git", "http://gitlab.localhost/root/metaseq.git"),
        ("git@__SSH_HOST__:root/metaseq.git", "root@gitlab.localhost:root/metaseq.git"),
        ("git@a.localhost:root/metaseq.git", "git@b.localhost:root/metaseq.git"),
    ],
}
REFUSED: dict[str, list[Any]] = {
    "json": [
        "",
        "{",
        "{'a': 1}",
        "NaN",
        "[Infinity]",
        '{"a": 1, "a": 2}',
        "[" * 100_000,
        float("nan"),
        10**400,
        "1" * 5000,
    ],
    "markdown": [5, None, ["# a"], "a" * 50_001],
    "base64": ["", "?", "QUF", "/w==", 5, None, ["QUFB"], "^.*$"],
    "string_list": ["", ",", " , ", 5, ["5", "1842"], None],
    "url": ["git@host:", "git@host:a b", "ssh://host", "git@host/x", "git clone git@host:a.git"],
}


def pairs(table: dict[str, list[tuple[Any, Any]]]) -> list[tuple[str, Any, Any]]:
    return [(kind, one, other) for kind, rows in table.items() for one, other in rows]


@pytest.mark.parametrize("kind, one, other", pairs(SAME))
def test_spellings_of_one_value(kind: str, one: Any, other: Any) -> None:
    assert same(kind, one, other)


@pytest.mark.parametrize("kind, one, other", pairs(DIFFERENT))
def test_different_values(kind: str, one: Any, other: Any) -> None:
    assert not same(kind, one, other)
    assert not same(kind, other, one)


@pytest.mark.parametrize("kind, value", [(kind, value) for kind, values in REFUSED.items() for value in values])
def test_what_is_no_spelling_is_refused(kind: str, value: Any) -> None:
    with pytest.raises(NotOfType):
        TYPES[kind].read(value)


def test_an_expected_pattern_is_one_for_the_decoded_text() -> None:
    pattern = "^.*MIT License.*$"
    assert compare({"format": "base64"}, pattern, encoded("The\nMIT License\n(c)")).equal
    assert not compare({"format": "base64"}, pattern, encoded("Apache License")).equal
    assert not compare({"format": "base64"}, pattern, "The MIT License").equal
    assert not compare({"format": "base64"}, encoded("MIT License"), encoded("^.*$")).equal


def test_a_host_that_may_be_any_is_the_task_s_word_only() -> None:
    assert not same("url", "git@gitlab.localhost:root/metaseq.git", "git@__SSH_HOST__:root/metaseq.git")


@given(JSON)
def test_a_document_equals_itself_in_any_layout(value: Any) -> None:
    try:
        wide, narrow = json.dumps(value, allow_nan=False, indent=3), json.dumps(value, separators=(",", ":"))
        assert same("json", wide, narrow)
        assert isinstance(value, str) or same("json", wide, value)
    except (NotOfType, ValueError):  # numbers out of range
        return


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), min_size=1), st.randoms())
def test_items_in_any_order(items: list[str], random: Any) -> None:
    shuffled = random.sample(items, len(items))
    assert same("string_list", ",".join(items), ", ".join(shuffled))
    assert not same("string_list", ",".join(items), ",".join([*shuffled, "one more"]))


@unhurried
@given(st.text())
def test_markdown_and_base64_equal_themselves(text: str) -> None:
    assert same("markdown", text, text)
    if text:
        try:
            spelling = encoded(text)
        except UnicodeEncodeError:
            return
        assert same("base64", spelling, spelling)
