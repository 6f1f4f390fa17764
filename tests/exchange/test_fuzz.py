"""Hostile sources, seeded: each trajectory is imported and loads, or is told with a reason; DEST is all that changes.

A thousand of them in `make test`, a hundred thousand in `make test-all`.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.exchange import made
from tests.exchange.conftest import folders, tree
from tests.judges.test_fuzz import JSONS, ODD_TEXTS, bounded
from webassay.core.trajectory import Trajectory
from webassay.errors import WebassayError
from webassay.exchange.exporting import export_trajectories
from webassay.exchange.importing import import_trajectories
from webassay.exchange.registry import EXPORTS, FORMATS

FEW, MANY = 1_000, 99_000
Files = dict[str, bytes]
Drawn = tuple[str, int, str, float, Any, bytes, str]

HOSTILE_NAMES = st.sampled_from(
    ["../../evil", "/tmp/evil", "..", ".", "", "a/b", "\0", "x" * 300, "é", " ", "-rf", "con", "t1", "../dest/x", "\n"]
)
BYTES = st.sampled_from([b"", b"\xff\xfe", b"\xef\xbb\xbf", b"[" * 20_000, b"{}", b"null", b"\x80\x04.", made.PNG])
HOWS = ["cut", "bytes", "flip", "value", "value", "value", "text", "drop", "link", "folder", "rename", "twice", "pipe"]


def bases() -> dict[str, Files]:
    """Each format's files by name; links are left to the mutations."""
    found = {}
    for name, make in made.MAKERS.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            make(root)
            if name == "om2w":
                made.om2w_verdicts(root)
            paths = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
            found[name] = {str(path.relative_to(root)): path.read_bytes() for path in paths}
    return found


BASES = bases()
DRAWN = st.tuples(
    st.sampled_from(sorted(BASES)),
    st.integers(0, 30),
    st.sampled_from(HOWS),
    st.floats(0, 0.999),
    JSONS | ODD_TEXTS | HOSTILE_NAMES,
    BYTES | st.binary(max_size=50),
    HOSTILE_NAMES,
)


@contextmanager
def spoiled(drawn: Drawn) -> Iterator[tuple[Path, str]]:
    """A source in a folder of its own, with one thing changed."""
    name, chosen, how, where, value, content, aim = drawn
    root = Path(tempfile.mkdtemp(prefix="webassay-fuzz-"))
    try:
        for path, kept in BASES[name].items():
            made.put(root / "source" / path, kept)
        made.put(root / "secret.json", {"final_answer": "secret"})
        path = root / "source" / sorted(BASES[name])[chosen % len(BASES[name])]
        spoil(path, how, where, value, content, aim)
        yield root, name
    finally:
        shutil.rmtree(root, ignore_errors=True)


def spoil(path: Path, how: str, where: float, value: Any, content: bytes, aim: str) -> None:
    kept = path.read_bytes()
    at = int(where * len(kept))
    if how == "cut":
        path.write_bytes(kept[:at])
    elif how == "bytes":
        path.write_bytes(kept[:at] + content + kept[at:])
    elif how == "flip":
        path.write_bytes(kept[:at] + bytes([kept[at] ^ 1 << chosen_bit(where)]) + kept[at + 1 :] if kept else b"x")
    elif how in ("value", "text"):
        path.write_bytes(with_value(kept, where, value if how == "value" else aim))
    elif how == "twice":
        path.with_name("u_final_answer.json").write_bytes(kept)
    else:
        replace(path, how, aim)


def chosen_bit(where: float) -> int:
    return int(where * 8000) % 8


def with_value(kept: bytes, where: float, value: Any) -> bytes:
    """A JSON document, or one line of a log, in which something else stands in one place."""
    lines = kept.split(b"\n")
    for number in range(len(lines)):
        try:
            whole: Any = [json.loads(lines[number])]
        except ValueError:
            continue
        places: list[tuple[Any, Any]] = []
        pending: list[Any] = [whole]
        while pending:
            inside = pending.pop()
            for key, part in list(inside.items() if isinstance(inside, dict) else enumerate(inside)):
                places.append((inside, key))
                if isinstance(part, dict | list):
                    pending.append(part)
        inside, key = places[int(where * len(places))]
        inside[key] = value
        lines[number] = json.dumps(whole[0]).encode()
        break
    return b"\n".join(lines)


def replace(path: Path, how: str, aim: str) -> None:
    path.unlink()
    if how == "folder":
        path.mkdir()
    elif how == "pipe":
        os.mkfifo(path)
    elif how == "link" and aim and "\0" not in aim and len(aim) < 256:
        path.symlink_to(aim if aim != "t1" else "../../../secret.json")
    elif how == "rename":
        path.with_name("".join(letter for letter in aim if letter not in "/\0")[:255].strip(".") or "x").touch()


def check(drawn: Drawn) -> None:
    with spoiled(drawn) as (root, name):
        around = tree(root, root / "dest")
        with bounded():
            try:
                report = import_trajectories(root / "source", root / "dest", name)
            except WebassayError as error:
                assert str(error)
                report = None
        assert tree(root, root / "dest") == around
        for moved in report.moved if report else ():
            assert (moved.fate == "skipped") == bool(moved.reason)
            if moved.folder is not None:
                assert moved.folder.parent == root / "dest" and not moved.folder.is_symlink()
                Trajectory.from_folder(moved.folder, strict=True)
                assert all(inside(root / "dest", path) for path in moved.folder.rglob("*"))
        left = [path.name for path in folders(root / "dest")] if (root / "dest").is_dir() else []
        assert sorted(left) == sorted(moved.folder.name for moved in (report.moved if report else ()) if moved.folder)
        if left:
            go_out(root, EXPORTS[drawn[1] % len(EXPORTS)])


def inside(dest: Path, path: Path) -> bool:
    return path.resolve().is_relative_to(dest.resolve())


def go_out(root: Path, name: str) -> None:
    """What came in goes out in any format, or says why not."""
    before = tree(root, root / "out")
    with bounded():
        for moved in export_trajectories(root / "dest", root / "out", name).moved:
            assert (moved.fate == "skipped") == bool(moved.reason)
    assert tree(root, root / "out") == before


def test_every_importer_is_among_them() -> None:
    assert set(BASES) == set(FORMATS)


@pytest.mark.parametrize(
    "examples", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
)
def test_any_change_of_a_source(examples: int) -> None:
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

    @seed(20261118)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=quiet)
    @given(DRAWN)
    def run(drawn: Drawn) -> None:
        check(drawn)

    run()
