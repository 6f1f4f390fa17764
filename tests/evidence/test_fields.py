"""Fields of bodies, found by the keys that tasks write."""

from typing import Any

import pytest

from webassay.errors import JudgeError
from webassay.evidence.fields import by_path, by_pattern, is_path, name_pattern


@pytest.mark.parametrize(
    "key, path, pattern",
    [
        ("title", False, None),
        ("product[price]", False, None),
        ("$.issue.title", True, None),
        ("$.^file_(path|name)$", True, "^file_(path|name)$"),
        ("^file_.*$", True, "^file_.*$"),
        ("^", False, None),
    ],
)
def test_keys(key: str, path: bool, pattern: str | None) -> None:
    assert (is_path(key), name_pattern(key)) == (path, pattern)


@pytest.mark.parametrize(
    "document, path, found",
    [
        ({"issue": {"title": "x"}}, "$.issue.title", ["x"]),
        ({"items": [{"n": 1}, {"n": 2}]}, "$.items[*].n", [1, 2]),
        ({"items": [{"n": 1, "v": "a"}, {"n": 2, "v": "b"}]}, "$.items[?(@.n == 2)].v", ["b"]),
        ({"issue": '{"title": "x"}'}, "$.issue.title", ["x"]),
        ({"issue": {"title": None}}, "$.issue.title", [None]),
        ({"issue": "no JSON"}, "$.issue.title", []),
        ({}, "$.issue.title", []),
    ],
)
def test_paths_also_into_json_within_strings(document: Any, path: str, found: list[Any]) -> None:
    assert by_path(document, path) == found


def test_a_pattern_finds_all_names() -> None:
    assert by_pattern({"file_path": "a", "file_name": "b", "x_file_name": "c"}, "^file_(path|name)$") == ["a", "b"]
    assert by_pattern(["file_path"], "^file_path$") == []


def test_a_broken_path_is_the_tasks_fault() -> None:
    with pytest.raises(JudgeError, match="is no JSONPath"):
        by_path({}, "$.[")
