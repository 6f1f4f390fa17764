"""A Python with packages of its own, made from a lock file: for what cannot or need not stand beside ours."""

import shutil
import subprocess
import sys
from pathlib import Path

from webassay.core.processes import exclusive
from webassay.errors import WebassayError

INSTALL_SECONDS = 900.0


def python_with(lock: Path, folder: Path) -> Path:
    """The Python of an environment in `folder`, made if it is not there whole; WebassayError without an index."""
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.is_file():
        with exclusive(folder.with_name(f".{folder.name}.lock"), INSTALL_SECONDS):
            if not ready.is_file():
                _install(lock, folder, python)
                ready.touch()
    return python.absolute()


def _install(lock: Path, folder: Path, python: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _run(lock, sys.executable, "-m", "venv", str(folder))
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    _run(lock, *pip, "--require-hashes", "-r", str(lock))


def _run(lock: Path, *command: str) -> None:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise WebassayError(f"{lock.stem} was not installed within {INSTALL_SECONDS:.0f} s") from None
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).strip().splitlines() if not line.startswith("WARNING")]
        errors = [line for line in said if line.startswith("ERROR")] or said or ["nothing"]
        raise WebassayError(f"{lock.stem} could not be installed: {command[2]} says {errors[-1]!r}")
