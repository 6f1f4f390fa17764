"""Parsers of judges' replies against what the projects that wrote them stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judges.corpus import records
from webassay.errors import ConfigError
from webassay.judges.replies import PARSERS, parse, passed, screenshot_score
from webassay.judges.strict import strict_screenshot_score

LEGACY = [name for name in PARSERS if name != "strict"]
CORPORA = ["corpus/judge_replies.jsonl.gz", "corpus/synthetic_parser_cases.jsonl"]


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("parser", LEGACY)
def test_every_reply_is_read_as_it_was(corpus: str, parser: str) -> None:
    wrong = [row["id"] for row in records(corpus) if parse(row["reply"], parser) != row["ref"][parser]]
    assert wrong == []


def test_the_stored_labels_are_those_of_the_parser_of_their_time() -> None:
    rows = [row for row in records(CORPORA[0]) if row["stored_label"] is not None]
    native = {"WebVoyager_eval": "om2w_webvoyager_FAILURE"}
    assert len(rows) == 2583
    for row in rows:
        assert parse(row["reply"], native.get(row["protocol"], "om2w_status")) == row["stored_label"], row["id"]


@pytest.mark.parametrize(
    "label, verdict",
    [(1, True), (0, False), (0.0, False), (None, None), ("error", None), ("unknown", None), ("failure", False)],
)
def test_labels_of_all_projects_become_one_verdict(label: float | str | None, verdict: bool | None) -> None:
    assert passed(label) is verdict


@pytest.mark.parametrize("parser, label", [("strict", None), ("om2w_status", 0), ("webvoyager_orig", "error")])
def test_no_reply_at_all(parser: str, label: float | str | None) -> None:
    assert parse(None, parser) == label


def test_an_unknown_parser_is_named() -> None:
    with pytest.raises(ConfigError, match=r"parser=om2w: unknown.*om2w_status"):
        parse("x", "om2w")


@pytest.mark.parametrize("form", ["om2w", "general"])
def test_every_screenshot_is_scored_as_it_was(form: str) -> None:
    rows = records("corpus/screenshot_scores.jsonl.gz")
    assert [row["id"] for row in rows if screenshot_score(row["reply"], form) != row["ref"][form]] == []
    native = [row for row in rows if row["format"] == form]
    assert native and all(screenshot_score(row["reply"], form) == row["stored_score"] for row in native)


PIECES = st.sampled_from(
    ["Status", ":", "status:", " success", "\n", "**", "not ", "failure", '"', "Score", "### ", "3"]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join)))
def test_no_reply_breaks_a_parser(reply: str) -> None:
    for name in PARSERS:
        label = parse(reply, name)
        assert label is None or label in (0, 1, "error", "success", "failure", "unknown")
    assert screenshot_score(reply, "om2w") in range(6) and screenshot_score(reply, "general") in range(6)
    assert strict_screenshot_score(reply) in (None, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("piece", ["\n", " ", "*", "Status: ", "Status:\n", "#", "score ", "not "])
def test_length_costs_no_more_than_its_share(piece: str) -> None:
    for name in PARSERS:
        parse(piece * 100_000, name)
    strict_screenshot_score(piece * 100_000)
