"""Verdicts are computed from the paper's number and ours, and from nothing else."""

from pathlib import Path
from typing import Any

import pytest

from webassay.errors import WebassayError
from webassay.report.paper.ledger import Claim, ledger, ledger_sheet, read_claims

FACTS = {"tasks": 812.0, "naive.na": 36.0}


def verdict(value: str, ours: Any, odd: bool = False) -> tuple[str, str]:
    (entry,) = ledger([Claim("Table", "what", value, ours, odd=odd, missing="data", instead="this")], FACTS)
    return entry.verdict, entry.here


@pytest.mark.parametrize(
    "value, ours, expected",
    [
        ("812", "tasks", ("exact", "812")),
        ("811", "tasks", ("contradicted", "812")),
        ("812.4", "tasks", ("contradicted", "812.0")),
        ("4.4", {"percent": ["naive.na", "tasks"]}, ("exact", "4.4")),
        ("4.43", {"percent": ["naive.na", "tasks"]}, ("exact", "4.43")),
        ("4.5", {"percent": ["naive.na", "tasks"]}, ("contradicted", "4.4")),
        ("98.7", {"percent": [5173, {"product": [655, 8]}]}, ("consistent", "98.7")),
        ("20", {"between": [19, 28]}, ("consistent", "possible: 19.0 to 28.0")),
        ("41.0", {"between": [28, 22, 19, 25]}, ("contradicted", "possible: 19.0 to 28.0")),
        ("5.3", {"half_width": [52.3, 191, 0.95]}, ("consistent", "possible: 0.0 to 7.1")),
        ("40", None, ("not regenerable", "n/a")),
        ("see paper", None, ("not regenerable", "n/a")),
        ("many", "tasks", ("contradicted", "812.0")),
    ],
)
def test_verdicts(value: str, ours: Any, expected: tuple[str, str]) -> None:
    assert verdict(value, ours) == expected


def test_an_odd_rule_is_no_exact_count() -> None:
    assert verdict("848", {"sum": ["tasks", "naive.na"]}, odd=True) == ("sum rule", "848")
    assert verdict("849", {"sum": ["tasks", "naive.na"]}, odd=True) == ("contradicted", "848")


def test_a_remark_belongs_to_its_verdict() -> None:
    given = [("1", None), ("1", "tasks"), ("812", "tasks")]
    claims = [Claim("T", "w", value, ours, missing="data", instead="this") for value, ours in given]
    assert [entry.remark for entry in ledger(claims, FACTS)] == ["data", "this", ""]


@pytest.mark.parametrize("ours", ["naive.nobody", {"guess": [1]}, {"sum": [1], "mean": [2]}])
def test_what_nothing_computes_is_refused(ours: Any) -> None:
    with pytest.raises(WebassayError, match=r"published\.toml: "):
        verdict("1", ours)


@pytest.mark.parametrize("text", ["claim = 3", "[[claim]]\nitem = 'T'", "[[claim", "[[claim]]\nverdict = 'exact'"])
def test_a_broken_list_of_claims_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "published.toml"
    path.write_text(text)
    with pytest.raises(WebassayError, match=r"published\.toml: not a list of claims"):
        read_claims(path)


def test_every_claim_says_what_would_be_needed_or_how_it_is_computed() -> None:
    for claim in read_claims():
        assert claim.ours is not None or claim.missing, claim
        assert claim.ours is None or not claim.missing, claim


def test_the_sheet_counts_the_verdicts() -> None:
    note = ledger_sheet(ledger([Claim("T", "w", "812", "tasks"), Claim("T", "w", "3", "tasks")], FACTS)).note
    assert note.startswith("1 exact, 0 sum rule, 0 consistent, 0 not regenerable, 1 contradicted.")
