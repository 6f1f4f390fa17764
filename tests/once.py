"""What costs minutes is made once in a test session, also where several workers share it."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from webassay.core.processes import exclusive

SESSION = "WEBASSAY_TEST_SESSION"
PATIENCE = 900.0

if SESSION not in os.environ:  # the first process; workers and what tests start inherit it
    os.environ[SESSION] = tempfile.mkdtemp(prefix="webassay-tests-")
    atexit.register(shutil.rmtree, os.environ[SESSION], ignore_errors=True)


def once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills; whoever comes while it is being filled waits."""
    folder = Path(os.environ[SESSION]) / name
    with exclusive(folder.with_name(f"{name}.lock"), PATIENCE):
        if not folder.exists():
            unfinished = folder.with_name(f"{name}.partial")
            shutil.rmtree(unfinished, ignore_errors=True)
            make(unfinished)
            unfinished.rename(folder)
    return folder
