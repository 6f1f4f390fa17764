"""Locks that end with their process, and a living Snakemake's state that nobody clears."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from webassay.core.processes import child_environment, exclusive, scratch_folder
from webassay.errors import BusyError

SUPERVISE = "from webassay.core.processes import become_supervisor; from pathlib import Path; import sys; \
become_supervisor(Path('.'), clear=True); print('ready', flush=True); sys.stdin.read()"


@contextmanager
def snakemake_like(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that has become supervisor and lives until the block ends."""
    process = subprocess.Popen([sys.executable, "-c", SUPERVISE], cwd=folder, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, env=child_environment())  # fmt: skip
    assert process.stdout and process.stdout.readline() == "ready\n"
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def leave_lock(folder: Path) -> Path:
    lock = folder / ".snakemake" / "locks" / "0.output.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    return lock


def test_what_a_killed_snakemake_left_is_cleared(tmp_path: Path) -> None:
    lock = leave_lock(tmp_path)
    with snakemake_like(tmp_path):
        assert not lock.exists()


def test_a_living_snakemakes_lock_is_not_also_when_another_one_ended(tmp_path: Path) -> None:
    with snakemake_like(tmp_path) as first:
        with snakemake_like(tmp_path):
            lock = leave_lock(tmp_path)
            first.kill()
            first.wait()
            with snakemake_like(tmp_path):
                assert lock.exists()
    with snakemake_like(tmp_path):
        assert not lock.exists()


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    with exclusive(tmp_path / "x.lock"):
        with pytest.raises(BusyError, match=r"x\.lock"), exclusive(tmp_path / "x.lock", patience=0.1):
            pass
    with exclusive(tmp_path / "x.lock", patience=0.1):
        pass


def test_the_scratch_of_a_killed_process_is_swept_and_that_of_a_living_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch_folder() as mine:
        left = tmp_path / "webassay-left"
        left.mkdir()
        (left / ".lock").touch()
        (left / "network.har").touch()
        with scratch_folder():
            assert mine.exists() and not left.exists()
    assert os.listdir(tmp_path) == []
