"""The sites in the box, built once in a test session and given to each workspace."""

import shutil
from pathlib import Path

import yaml

from tests.once import once
from webassay.benchmarks.dataset import fetch_dataset
from webassay.config.paths import DatasetPlan
from webassay.core.files import write_json

CONFIG = Path(__file__).resolve().parents[1] / "config" / "environment" / "miniweb.yaml"


def miniweb() -> Path:
    """The folder as `rule fetch` leaves it."""
    return once("miniweb", _build)


def _build(folder: Path) -> None:
    write_json(folder / "manifest.json", fetch_dataset(plan(), folder))


def plan() -> DatasetPlan:
    node = yaml.safe_load(CONFIG.read_text())["dataset"]
    return DatasetPlan(node["name"], node["source"], node["sha256"])


def give_miniweb(workspace: Path) -> Path:
    """Put the sites where the workflow would build them."""
    shutil.copytree(miniweb(), workspace / plan().folder)
    return workspace
