"""Files are whole or absent."""

import os
from pathlib import Path

import pytest

from webassay.core.digest import canonical_json, digest
from webassay.core.files import read_json, write_bytes, write_json
from webassay.errors import WebassayError


def test_a_failed_write_leaves_the_old_content_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_bytes(path, b"old")

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"a": ')
    with pytest.raises(WebassayError, match=r"x\.json: not valid JSON"):
        read_json(tmp_path / "x.json")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_json(tmp_path / "deep" / "x.json", {"b": 1, "a": [None, "é"]})
    assert read_json(tmp_path / "deep" / "x.json") == {"b": 1, "a": [None, "é"]}


def test_canonical_json_knows_no_order_and_no_nan() -> None:
    assert canonical_json({"b": 1.0, "a": "é"}) == '{"a":"é","b":1.0}'.encode()
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    with pytest.raises(ValueError):
        canonical_json(float("nan"))
