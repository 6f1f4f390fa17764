"""A real experiment, shared and made again from another checkout, with every way to a network closed."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import REPO, Done, Workspace
from tests.report.crate.made import flip, list_anew, rewrite

pytestmark = pytest.mark.slow

CHECKOUT = ("Snakefile", "config", "envs", "rules", "scripts")
CLOSED = """
import sys

def closed(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise SystemExit(f"a way to a network: {event} {arguments}")

sys.addaudithook(closed)
from webassay.cli import main
sys.exit(main())
"""


def elsewhere(folder: Path, *words: str) -> Done:
    """`webassay` of a checkout of its own, without keys."""
    clone = folder / "clone"
    if not clone.exists():
        clone.mkdir()
        for name in CHECKOUT:
            copy = shutil.copytree if (REPO / name).is_dir() else shutil.copyfile
            copy(REPO / name, clone / name)
    around = {name: value for name, value in os.environ.items() if "KEY" not in name}
    around |= {"PYTHONPATH": str(clone / "scripts"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", CLOSED, *words]
    done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True)
    return Done(done.returncode, done.stdout + done.stderr)


def tables(folder: Path) -> dict[str, bytes]:
    found = [*folder.glob("results/experiments/*/tables/*"), *folder.glob("results/experiments/*/scores.csv")]
    found += [*folder.glob("results/experiments/*/figures/*"), *folder.glob("results/runs/**/metrics.json")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def bundled(shared_workspace: Workspace) -> Path:
    done = shared_workspace.webassay(
        "run",
        "system=oracle,naive_na",
        "judge=webarena,verified",
        "benchmark.select.tasks=[shop-price-1,shop-review-1]",
    )
    assert done.status == 0, done.output
    done = shared_workspace.webassay("bundle", "--out", "it.zip")
    assert done.status == 0 and "8 scores" in done.output, done.output
    return shared_workspace.folder / "it.zip"


def test_tables_are_byte_equal_without_a_network(bundled: Path, tmp_path: Path) -> None:
    done = elsewhere(tmp_path, "reproduce", str(bundled), "again")
    assert done.status == 0, done.output
    assert "byte-equal, 8 scores judged again, 0 stored replies used, 0 model calls: again" in done.output
    made, there = tables(tmp_path / "again"), tables(bundled.parent)
    assert made == there and len(made) > 12


def test_no_secret_is_in_it(bundled: Path) -> None:
    with zipfile.ZipFile(bundled) as archive:
        assert len(archive.namelist()) > 100
        for name in archive.namelist():
            content = archive.read(name)
            assert b"miniweb-customer" not in content and b"miniweb-staff" not in content, name


def test_flipped_bytes_are_named(bundled: Path, tmp_path: Path) -> None:
    for pattern in ("network.har", "scores/verified_paper-*.json"):
        folder = unpacked(bundled, tmp_path / pattern[:4])
        path = next(folder.rglob(f"oracle-*/**/traj/shop-price-1/{pattern}"))
        flip(path)
        done = elsewhere(tmp_path, "reproduce", str(folder), "again")
        assert done.status == 1 and f"{path.relative_to(folder)}: changed: its sha256 is" in done.output


def test_evidence_that_was_changed_with_care_is_another_score(bundled: Path, tmp_path: Path) -> None:
    folder = unpacked(bundled, tmp_path / "it")
    rewrite(next(folder.rglob("oracle-*/**/traj/shop-review-1/network.har")), '"method":"POST"', '"method":"GET"')
    list_anew(folder)
    done = elsewhere(tmp_path, "reproduce", str(folder), "again")
    assert done.status == 1, done.output
    told = [line for line in done.output.splitlines() if "traj/shop-review-1, verified_paper-" in line]
    assert told and "score 1 in the bundle, 0 judged again: " in told[0]
    assert "tables/summary.csv: byte " in done.output


def unpacked(bundle: Path, folder: Path) -> Path:
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    return folder


def test_the_quickstart_is_made_again_elsewhere(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = workspace.run(sys.executable, "-m", "webassay.cli", "run", timeout=3600)
    assert done.status == 0, done.output
    assert workspace.webassay("bundle", "--out", "it.zip").status == 0
    other = tmp_path_factory.mktemp("other")
    done = elsewhere(other, "reproduce", str(workspace.folder / "it.zip"), "again")
    assert done.status == 0 and "byte-equal, 2442 scores judged again" in done.output, done.output
    assert tables(other / "again") == tables(workspace.folder)
