"""Processes that end together, and locks that end with their process."""

import ctypes
import fcntl
import os
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from webassay.errors import BusyError

SUPERVISOR = "WEBASSAY_SUPERVISOR"
"""Environment variable with the process id of the Snakemake that a stage script works for."""

PACKAGE_ROOT = Path(__file__).resolve().parents[2]

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_held: list[IO[str]] = []


def child_environment() -> dict[str, str]:
    """This process's environment, in which a child's `python -m webassay…` finds this very package."""
    paths = [str(PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def die_with_parent() -> None:
    """For a child between fork and exec: the kernel kills it when the thread that started it ends (Linux)."""
    if _libc is not None:
        _libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def follow_supervisor() -> None:
    """End with Snakemake: a shell stands between it and a stage script, so the kernel's own signal never comes."""
    if pid := int(os.environ.get(SUPERVISOR, 0)):
        follow(pid)


def follow(pid: int) -> None:
    """Kill this process as soon as that one has ended."""
    threading.Thread(target=_exit_after, args=(pid,), daemon=True).start()


def _exit_after(pid: int) -> None:
    try:
        if hasattr(os, "pidfd_open"):
            select.select([os.pidfd_open(pid)], [], [])
        else:
            while True:
                os.kill(pid, 0)
                time.sleep(0.2)
    except ProcessLookupError:
        pass  # it has gone already
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A private temporary folder, locked while in use, so that the next one can sweep away what a killed one left."""
    for lock in Path(tempfile.gettempdir()).glob("webassay-*/.lock"):
        _remove_if_abandoned(lock)
    with tempfile.TemporaryDirectory(prefix="webassay-", ignore_cleanup_errors=True) as folder:
        with exclusive(Path(folder) / ".lock"):
            yield Path(folder)


def _remove_if_abandoned(lock: Path) -> None:
    try:
        with lock.open("r+") as stream:
            if _lock(stream, fcntl.LOCK_EX, patience=0):
                shutil.rmtree(lock.parent, ignore_errors=True)
    except OSError:
        return  # somebody else's, or just swept away by another process


@contextmanager
def exclusive(path: Path, patience: float = 5.0) -> Iterator[None]:
    """Hold the lock file while the block runs; the kernel frees it if the process dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stream:
        if not _lock(stream, fcntl.LOCK_EX, patience):
            raise BusyError(f"{path}: another process holds this lock; wait for it to end, or stop it")
        yield


@contextmanager
def exclusive_folder(folder: Path) -> Iterator[None]:
    """The same by the folder itself, which leaves no file behind; waits for as long as another holds it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def become_supervisor(folder: Path, *, clear: bool) -> None:
    """Mark this process as the one its jobs follow, and sweep away what a killed predecessor left in `.snakemake`.

    Every Snakemake holds the lock shared until it ends; only one that could have it alone, for a moment, clears: so a
    living Snakemake's lock is never touched. Clearing the marks of incomplete outputs is safe: each is written in one
    step.
    """
    os.environ[SUPERVISOR] = str(os.getpid())
    if not clear:
        return  # a job of a cluster: the lock belongs to the process that submitted it
    state = folder / ".snakemake"
    state.mkdir(exist_ok=True)
    stream = (state / "webassay.lock").open("w")
    _held.append(stream)
    if _lock(stream, fcntl.LOCK_EX, patience=0):
        for leftover in ("locks", "incomplete"):
            for path in (state / leftover).glob("*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    _lock(stream, fcntl.LOCK_SH, patience=10)


def _lock(stream: IO[str], kind: int, patience: float) -> bool:
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(stream, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)


def private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """A worker's pipes to its parent, apart from stdin, which is empty, and stdout, which a library might write to."""
    orders, reports = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return orders, reports
