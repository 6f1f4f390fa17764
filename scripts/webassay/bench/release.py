"""webarena-verified as released, in a virtual environment of its own: its pins leave no room for ours."""

from pathlib import Path

from webassay.config.experiment import CONFIG
from webassay.core.python_environment import python_with

LOCK = CONFIG.parent / "envs" / "webarena_verified.lock"


def install_release(folder: Path) -> Path:
    """The Python of an environment made in `folder`; WebassayError where the package index cannot be reached."""
    return python_with(LOCK, folder)
