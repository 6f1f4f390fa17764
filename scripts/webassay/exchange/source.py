"""What somebody else's run left on disk: read once, never changed, and never left by a link."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from webassay.core.digest import digest
from webassay.core.files import decode_lenient
from webassay.core.screenshots import JPEG, PNG, WEBP
from webassay.core.task import SAFE_ID
from webassay.errors import TrajectoryError

MAX_DOCUMENT = 256 * 2**20
MAX_FILE = 2 * 2**30
CHUNK = 2**20
CHANGED = "changed while it was read; take it over when its run has ended"
_NUMBER = re.compile(r"\d+")

Stamp = tuple[int, int, int]
"""Size, time of last change, inode."""


class Source:
    """The folder of one trajectory, and a record of all that was read from it."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.digests: dict[str, str] = {}
        """sha256 of each file that was used, by its name relative to the folder."""
        self._stamps: dict[Path, Stamp] = {}
        self._listed: dict[str, list[str]] = {}

    @property
    def digest(self) -> str:
        return digest(self.digests)

    def names(self, subfolder: str = "") -> list[str]:
        """All names in the folder or one below it, sorted; none where it does not exist."""
        if subfolder not in self._listed:
            self._listed[subfolder] = _listing(self.folder / subfolder)
        return self._listed[subfolder]

    def has(self, name: str) -> bool:
        """Whether there is a file that may be read under this name."""
        try:
            with self._opened(name):
                return True
        except TrajectoryError:
            return False

    def read(self, name: str, most: int = MAX_DOCUMENT) -> bytes:
        content = b"".join(self._chunks(name, most))
        self.digests[name] = hashlib.sha256(content).hexdigest()
        return content

    def json(self, name: str) -> Any:
        """A document; the error names it."""
        try:
            return decode_lenient(self.read(name))
        except ValueError as error:
            raise TrajectoryError(f"{self.folder / name}: {error}") from None

    def copy(self, name: str, target: Path) -> None:
        """Byte for byte, whatever its size."""
        seen = hashlib.sha256()
        with target.open("xb") as stream:
            for chunk in self._chunks(name, MAX_FILE):
                seen.update(chunk)
                stream.write(chunk)
        self.digests[name] = seen.hexdigest()

    def first_bytes(self, name: str) -> bytes:
        with self._opened(name) as stream:
            return stream.read(12)

    def require_unchanged(self) -> None:
        """Evidence of two moments is evidence of none."""
        for path, stamp in self._stamps.items():
            try:
                now = _stamp(path.stat())
            except OSError:
                now = None
            if now != stamp:
                raise TrajectoryError(f"{path} {CHANGED}")
        for subfolder, listed in self._listed.items():
            if _listing(self.folder / subfolder) != listed:
                raise TrajectoryError(f"{self.folder / subfolder} {CHANGED}")

    def _chunks(self, name: str, most: int) -> Iterator[bytes]:
        with self._opened(name) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > most:
                raise TrajectoryError(f"{self.folder / name}: {size >> 20} MiB, at most {most >> 20} are read")
            left = size
            while left > 0 and (chunk := stream.read(min(CHUNK, left))):
                left -= len(chunk)
                yield chunk
            if left or stream.read(1):
                raise TrajectoryError(f"{self.folder / name} {CHANGED}")

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        path = self.folder / name
        try:
            real = path.resolve(strict=True)
            if not real.is_relative_to(self.root.resolve()):
                raise TrajectoryError(f"{path}: leads out of the source")
            # a pipe would never end, and what was a file a moment ago may be a link now
            handle = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise TrajectoryError(f"{path}: {error.strerror}") from None
        except (ValueError, RuntimeError):  # a zero byte in a name, links in a circle
            raise TrajectoryError(f"{path!r}: no name of a file") from None
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            os.close(handle)
            raise TrajectoryError(f"{path}: not a file")
        with os.fdopen(handle, "rb") as stream:
            if self._stamps.setdefault(real, _stamp(found)) != _stamp(found):
                raise TrajectoryError(f"{path} {CHANGED}")
            yield stream


def by_first_number(names: list[str]) -> list[str]:
    """`2_full.png` before `10_full.png`; names without a number are left out."""
    numbered = [(int(match[0][:18]), name) for name in names if (match := _NUMBER.search(name))]
    return [name for _, name in sorted(numbered)]


def picture_suffix(start: bytes) -> str | None:
    """By the first bytes, whatever the name says; None for what is no picture."""
    if start.startswith(PNG):
        return ".png"
    if start.startswith(JPEG):
        return ".jpg"
    return ".webp" if start.startswith(WEBP) and start[8:12] == b"WEBP" else None


def folder_name(task_id: str) -> str:
    """The id where it can name a folder, else what is left of it and eight digits that tell it from others."""
    if SAFE_ID.fullmatch(task_id):
        return task_id
    mark = hashlib.sha256(task_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", task_id[:80]).lstrip("._-")
    return f"{plain or 'task'}-{mark}"


def _listing(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise TrajectoryError(f"{folder}: {error.strerror}") from None


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_size, found.st_mtime_ns, found.st_ino
