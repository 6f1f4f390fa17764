"""The released wheel's task files, fetched by pip."""

import functools
from pathlib import Path

import pytest
import yaml

from tests.conftest import REPO
from tests.once import once
from webassay.benchmarks.dataset import fetch_dataset
from webassay.config.paths import DatasetPlan
from webassay.errors import DatasetError


def plan() -> DatasetPlan:
    node = yaml.safe_load((REPO / "config/benchmark/webarena_verified.yaml").read_text())["dataset"]
    return DatasetPlan(node["name"], node["source"], node["sha256"])


@functools.cache
def _fetched() -> Path | str:
    try:
        return once("released", _fetch)
    except DatasetError as error:
        return str(error)


def _fetch(folder: Path) -> None:
    fetch_dataset(plan(), folder)


def released() -> Path:
    """The folder as `rule fetch` leaves it; a test that asks for it is skipped where no package index is reachable."""
    found = _fetched()
    if isinstance(found, str):
        pytest.skip(f"no package index: {found}")
    return found
