"""webarena-verified as released, in a virtual environment of its own: its pins leave no room for ours."""

import subprocess
import sys
from pathlib import Path

from webassay.config.experiment import CONFIG
from webassay.errors import WebassayError

LOCK = CONFIG.parent / "envs" / "webarena_verified.lock"
INSTALL_SECONDS = 600.0


def install_release(folder: Path) -> Path:
    """The Python of an environment made in `folder`; WebassayError where the package index cannot be reached."""
    python = folder / "bin" / "python"
    _run(sys.executable, "-m", "venv", str(folder))
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    _run(*pip, "--require-hashes", "-r", str(LOCK))
    return python


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise WebassayError(f"webarena-verified was not installed within {INSTALL_SECONDS:.0f} s") from None
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).strip().splitlines() if not line.startswith("WARNING")]
        errors = [line for line in said if line.startswith("ERROR")] or said or ["nothing"]
        raise WebassayError(f"webarena-verified could not be installed: {command[2]} says {errors[-1]!r}")
