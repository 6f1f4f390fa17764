"""The sites in the box, built once in a test session and given to each workspace."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import yaml

from webassay.benchmarks.dataset import fetch_dataset
from webassay.config.paths import DatasetPlan
from webassay.core.files import write_json

CONFIG = Path(__file__).resolve().parents[1] / "config" / "environment" / "miniweb.yaml"


@functools.cache
def miniweb() -> Path:
    """The folder as `rule fetch` leaves it."""
    folder = Path(tempfile.mkdtemp(prefix="webassay-miniweb-")) / "data"
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    write_json(folder / "manifest.json", fetch_dataset(plan(), folder))
    return folder


def plan() -> DatasetPlan:
    node = yaml.safe_load(CONFIG.read_text())["dataset"]
    return DatasetPlan(node["name"], node["source"], node["sha256"])


def give_miniweb(workspace: Path) -> Path:
    """Put the sites where the workflow would build them."""
    shutil.copytree(miniweb(), workspace / plan().folder)
    return workspace
