"""Folders that are whole or absent, and never written over."""

import filecmp
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from webassay.core.files import require_space
from webassay.core.processes import exclusive
from webassay.errors import ConfigError, WebassayError

GROWS = "scores"
"""Judges write here after an import: not a difference."""

Placed = Literal["written", "standing"]


LOCK = ".lock"
UNFINISHED, UNPACKED = ".unfinished-", ".unpacked-"
"""Hidden folders in which something comes about."""


@contextmanager
def workplace(dest: Path) -> Iterator[None]:
    """`dest` for one process alone, swept of what a killed one left."""
    try:
        dest.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{dest}: cannot be made ({error.strerror})") from None
    with exclusive(dest / LOCK):
        for name in os.listdir(dest):
            if name.startswith((UNFINISHED, UNPACKED)):
                shutil.rmtree(dest / name, ignore_errors=True)
        yield


@contextmanager
def scratch(dest: Path, prefix: str = UNFINISHED) -> Iterator[Path]:
    """A hidden folder on the disk that the result goes to, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=dest))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def place(dest: Path, name: str, record: str, fill: Callable[[Path], None]) -> Placed:
    """Make `dest/name` in one step, or find that it stands; `record` tells of the making and is not compared."""
    require_space(dest)
    with scratch(dest) as beside:
        folder = beside / name
        folder.mkdir()
        fill(folder)
        target = dest / name
        if os.path.lexists(target):
            if difference := _difference(folder, target, record):
                raise WebassayError(
                    f"{target} is there already and differs ({difference}); move it away, or choose another DEST"
                )
            return "standing"
        folder.chmod(0o755)
        folder.rename(target)
        return "written"


def _difference(new: Path, old: Path, record: str) -> str | None:
    if old.is_symlink() or not old.is_dir():
        return "not a folder"
    ours, theirs = _files(new) - {record}, _files(old) - {record}
    if missing := ours - theirs:
        return f"it has no {min(missing)}"
    if more := {name for name in theirs - ours if not name.startswith(f"{GROWS}/")}:
        return f"it has {min(more)} too"
    for name in sorted(ours):
        if not _same(new / name, old / name):
            return name
    return None


def _files(folder: Path) -> set[str]:
    return {
        os.path.relpath(os.path.join(parent, name), folder) for parent, _, names in os.walk(folder) for name in names
    }


def _same(new: Path, old: Path) -> bool:
    if new.is_symlink() or old.is_symlink():
        return new.is_symlink() and old.is_symlink() and os.readlink(new) == os.readlink(old)
    return old.is_file() and filecmp.cmp(new, old, shallow=False)
