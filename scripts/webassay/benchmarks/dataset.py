"""Bring a dataset into `results/datasets/`, checked against its pin."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

from webassay.benchmarks.webarena_infinity import take_tasks
from webassay.benchmarks.wheel import download, take_out
from webassay.config.identity import pinned
from webassay.config.paths import DatasetPlan
from webassay.core.digest import file_digest
from webassay.core.files import write_json
from webassay.core.processes import child_environment, exclusive
from webassay.errors import DatasetError

FETCH_PATIENCE = 600.0


def benchmark_dataset(config: dict[str, Any]) -> DatasetPlan:
    """Where the tasks of a composed configuration come from: the benchmark's dataset, or else its environment's."""
    benchmark = config["benchmark"]
    node = benchmark["dataset"] or config["environment"]["dataset"]
    if node is None:
        environment = config["environment"]["name"]
        raise DatasetError(
            f"benchmark={benchmark['name']}: its tasks are made from a site, and environment={environment} "
            "has none that is built here"
        )
    return DatasetPlan(node["name"], *pinned(node, "benchmark.path", benchmark["path"]))


def ensure_dataset(plan: DatasetPlan) -> Path:
    """The dataset's folder, for those who come without the workflow; fetched at most once, also by two at a time."""
    if not plan.manifest.is_file():
        with exclusive(plan.folder.with_name(f".{plan.folder.name}.lock"), FETCH_PATIENCE):
            if not plan.manifest.is_file():
                write_json(plan.manifest, fetch_dataset(plan, plan.folder))
    return plan.folder


def fetch_dataset(plan: DatasetPlan, folder: Path) -> dict[str, Any]:
    """Fill `folder` and return its manifest; a dataset that differs from its sha256 is refused and not kept."""
    beside = folder.with_name(folder.name + ".partial")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    kind, _, location = plan.source.partition(":")
    if kind == "folder":
        root, _, names = location.rpartition("#")
        take_tasks(root, names, beside)
        found = plan.sha256  # of what planning has just read
    else:
        found = {"file": _copy, "build": _build, "wheel": download}[kind](location, beside)
    if found != plan.sha256:
        shutil.rmtree(beside)
        raise DatasetError(
            f"dataset {plan.name}: the content from {plan.source} has sha256 {found}, the configuration pins "
            f"{plan.sha256}; if the new content is meant, put its sha256 there"
        )
    for wheel in beside.glob("*.whl"):
        take_out(wheel, beside)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(beside, folder)
    files = {str(path.relative_to(folder)): path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}
    return {"name": plan.name, "source": kind, "sha256": plan.sha256, "files": files}


def _copy(location: str, folder: Path) -> str:
    """A file is kept with the results, so that they can be made again when the original has moved on."""
    source = Path(location)
    try:
        target = folder / _kept_name(source)
        shutil.copyfile(source, target)
    except FileNotFoundError:
        raise DatasetError(f"{location}: no such file") from None
    return file_digest(target)


def _kept_name(source: Path) -> str:
    """By content, not by name: a wheel, a JSON array of tasks, a table with tabs, or JSON Lines."""
    if zipfile.is_zipfile(source):
        return "own.whl"
    with source.open("rb") as stream:
        head = stream.read(1024).lstrip()
    if head.startswith(b"["):
        return "tasks.json"
    return "tasks.tsv" if b"\t" in head.partition(b"\n")[0] and not head.startswith(b"{") else "tasks.jsonl"


def _build(module: str, folder: Path) -> str:
    """In a process of its own (web frameworks keep global state); its last line of output is the content's digest."""
    done = subprocess.run(
        [sys.executable, "-m", module, "build", "--out", str(folder)],
        capture_output=True,
        text=True,
        env=child_environment(),
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise DatasetError(f"building {module} failed: {lines[-1]}")
    return done.stdout.split()[-1]
