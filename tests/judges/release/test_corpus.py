"""Thousands of values with what the release makes of them; its task-level cases need its dataset too."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from tests.judges.release.corpus import cases, needs_corpus
from webassay.judges.release.compare import Comparison
from webassay.judges.release.schema import Reader, plain
from webassay.judges.release.urls import Url
from webassay.judges.release.values import KINDS, Kind, equal, read_value

pytestmark = needs_corpus

CLASSES = {
    "NormalizedString": "string",
    "JsonString": "json",
    "MarkdownString": "markdown",
    "Base64String": "base64",
}
"""The release's names in its own tests, where they are not those of a schema."""


def kind(name: str) -> Kind:
    return KINDS[CLASSES.get(name, name.lower())]


def as_recorded(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Url):
        query = {name: list(values) for name, values in value.query.items()}
        return {"base_url": value.base, "query_params": query, "is_regex": value.is_pattern}
    return plain(value)


def reading(case: dict[str, Any]) -> Any:
    try:
        return as_recorded(read_value(kind(case["type"]), case["raw"]).first)
    except Exception:
        return "unreadable"


def same_pair(case: dict[str, Any]) -> bool | None:
    try:
        expected = Reader(True).value(kind(case["type"]), case["expected"])
        return equal(expected, Reader(False).value_or_raw(kind(case["type"]), case["actual"]))
    except Exception:
        return None


def array_mismatches(case: dict[str, Any]) -> list[str] | None:
    sides = ((True, "expected"), (False, "actual"))
    try:
        expected, actual = (Reader(strict).items(tuple(case[side]), case["schema"]) for strict, side in sides)
        found = Comparison(case["ordered"]).mismatches(expected, actual, "retrieved_data")
    except Exception:
        return None
    return [one.name for one in found]


def built(value: Any) -> Any:
    if isinstance(value, dict) and "$type" in value:
        return read_value(kind(value["$type"]), value["raw"])
    if isinstance(value, dict):
        return {name: built(one) for name, one in value.items()}
    return [built(one) for one in value] if isinstance(value, list) else value


def test_readings() -> None:
    for case in cases("values_normalize"):
        assert reading(case) == (case["normalized"] if case["ok"] else "unreadable"), case


def test_pairs() -> None:
    differing = [case for case in cases("values_pairs") if same_pair(case) != case["equal"]]
    assert differing == []


def test_arrays() -> None:
    for case in cases("values_arrays"):
        found = array_mismatches(case)
        assert (None if found is None else not found) == case["equal"], case
        assert found is None or found == case["assertions"], case


def test_calls_of_its_own_tests() -> None:
    for case in cases("peer_unit_tests"):
        if case.get("kind") == "init":
            assert reading(case) == (case["normalized"] if case["ok"] else "unreadable"), case
        elif case.get("kind") == "eq":
            assert equal(built(case["left"]), built(case["right"])) == case["equal"], case
        else:
            assert sorted(_mismatches(case)) == sorted(case["assertions"]), case


def _mismatches(case: dict[str, Any]) -> list[str]:
    options = case["kw"]
    unread = frozenset(options.get("ignored_values_keys", ()))
    comparison = Comparison(options.get("ordered", False), options.get("ignore_extra_keys", False), unread)
    name = options.get("value_name", "value")
    return [one.name for one in comparison.mismatches(built(case["expected"]), built(case["actual"]), name)]
