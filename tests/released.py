"""The released wheel's task files, fetched by pip once in a test session."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import pytest
import yaml

from tests.conftest import REPO
from webassay.benchmarks.dataset import fetch_dataset
from webassay.config.paths import DatasetPlan
from webassay.errors import DatasetError


def plan() -> DatasetPlan:
    node = yaml.safe_load((REPO / "config/benchmark/webarena_verified.yaml").read_text())["dataset"]
    return DatasetPlan(node["name"], node["source"], node["sha256"])


@functools.cache
def _fetched() -> Path | str:
    folder = Path(tempfile.mkdtemp(prefix="webassay-released-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        fetch_dataset(plan(), folder / "data")
    except DatasetError as error:
        return str(error)
    return folder / "data"


def released() -> Path:
    """The folder as `rule fetch` leaves it; a test that asks for it is skipped where no package index is reachable."""
    found = _fetched()
    if isinstance(found, str):
        pytest.skip(f"no package index: {found}")
    return found
