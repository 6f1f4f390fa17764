"""Imports and exports under watch: the source and all around DEST must be the same afterwards."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from webassay.exchange.exporting import export_trajectories
from webassay.exchange.importing import import_trajectories
from webassay.exchange.place import LOCK
from webassay.exchange.report import Report

Exchange = Callable[..., Report]


def tree(folder: Path, without: Path) -> dict[str, Any]:
    """Every name below a folder, with its content, or where a link leads, and the time of its last change."""
    found: dict[str, Any] = {}
    for parent, below, names in os.walk(folder):
        below[:] = [name for name in below if Path(parent, name) != without]
        for path in (Path(parent, name) for name in [*names, *below] if Path(parent, name) != without):
            kept = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            found[str(path)] = kept, path.lstat().st_mtime_ns if not path.is_dir() else 0
    return found


def watched(work: Exchange, around: Path) -> Exchange:
    allowed = around / "dest"

    def run(source: Path, dest: Path, *more: Any, **options: Any) -> Report:
        before = tree(around, allowed)
        try:
            return work(source, dest, *more, **options)
        finally:
            assert tree(around, allowed) == before
            assert not dest.is_dir() or {name for name in os.listdir(dest) if name.startswith(".")} <= {LOCK}

    return run


@pytest.fixture
def bring(tmp_path: Path) -> Exchange:
    return watched(import_trajectories, tmp_path)


@pytest.fixture
def send(tmp_path: Path) -> Exchange:
    return watched(export_trajectories, tmp_path)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "source"


@pytest.fixture
def dest(tmp_path: Path) -> Path:
    return tmp_path / "dest"


def folders(dest: Path) -> list[Path]:
    """What was written, by name."""
    return sorted(path for path in dest.iterdir() if path.name != LOCK)
