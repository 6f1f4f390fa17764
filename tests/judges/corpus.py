"""Real judge replies with the verdicts that published parsers made of them; never part of this repository."""

import functools
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPO

JUDGES = REPO.parent / "shared" / "data" / "judges"


@functools.cache
def records(name: str) -> list[dict[str, Any]]:
    """JSON Lines below the folder, gzipped or not; skipped where the data is absent."""
    path = shared(name)
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in raw.splitlines()]


def shared(name: str) -> Path:
    path = JUDGES / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return path
