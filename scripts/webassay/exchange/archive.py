"""Archives as a source: unpacked within bounds, and only if every name in them is harmless.

A bomb is told by what comes out, never by what the headers promise: unpacking stops at the first byte too many.
"""

import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webassay.errors import ConfigError, WebassayError
from webassay.exchange.place import UNPACKED, scratch

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SUFFIXES = (".zip", ".tar.gz", ".tgz")
OTHERS = (".tar", ".tar.xz", ".tar.bz2", ".tar.zst", ".txz", ".tbz2", ".7z", ".rar")
MAX_BYTES = 16 * 2**30
MAX_MEMBERS = 500_000
MAX_RATIO = 200
"""The most that a byte of an archive may become; a HAR of much the same pages comes to about fifty."""
FREE_BYTES = 32 * 2**20
"""So much may come out of any archive, whatever the ratio."""
CHUNK = 2**20
_BROKEN: tuple[type[Exception], ...] = (OSError, EOFError, ValueError, RuntimeError, KeyError)
_BROKEN += (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError)


class _Unsafe(Exception):
    """Why an archive is refused."""


class _Budget:
    """Counts what comes out of one archive."""

    def __init__(self, packed: int) -> None:
        self._most = min(MAX_BYTES, max(FREE_BYTES, packed * MAX_RATIO))
        self._bytes = self._members = 0

    def spend(self, count: int) -> None:
        self._bytes += count
        if self._bytes > self._most:
            raise _Unsafe(f"more than {self._most >> 20} MiB come out of it, too much for its size")

    def member(self) -> None:
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise _Unsafe(f"it has more than {MAX_MEMBERS} members")


@contextmanager
def unpacked(path: Path, dest: Path) -> Iterator[Path]:
    """The archive's content in a folder of its name, for as long as it is needed."""
    name = next(path.name.removesuffix(suffix) for suffix in SUFFIXES if path.name.endswith(suffix))
    with scratch(dest, UNPACKED) as folder:
        root = folder / (name or "archive")
        root.mkdir()
        try:
            budget = _Budget(path.stat().st_size)
            (_unzip if path.name.endswith(".zip") else _untar)(path, root, budget)
        except _Unsafe as unsafe:
            raise WebassayError(f"{path}: {unsafe}; nothing of it was kept") from None
        except _BROKEN as error:
            raise WebassayError(f"{path}: cannot be unpacked ({str(error)[:200]})") from None
        yield root


def is_archive(path: Path) -> bool:
    if path.name.endswith(OTHERS) and path.is_file():
        raise ConfigError(f"{path}: archives are {', '.join(SUFFIXES)}; unpack it and import the folder")
    return path.name.endswith(SUFFIXES) and path.is_file()


def _unzip(path: Path, root: Path, budget: _Budget) -> None:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            budget.member()
            if stat.S_ISLNK(member.external_attr >> 16):
                budget.spend(member.file_size)
                _link(root, member.filename, archive.read(member).decode("utf-8", "replace"))
            elif member.is_dir():
                _place_of(root, member.filename).mkdir(parents=True, exist_ok=True)
            else:
                with archive.open(member) as stream:
                    _write(root, member.filename, stream.read, budget.spend)


def _untar(path: Path, root: Path, budget: _Budget) -> None:
    with gzip.open(path) as stream:
        counted = BufferedReader(_Counted(stream, budget))
        with tarfile.open(fileobj=counted, mode="r|") as archive:
            for member in archive:
                budget.member()
                _untar_member(root, archive, member)


def _untar_member(root: Path, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    if member.isdir():
        _place_of(root, member.name).mkdir(parents=True, exist_ok=True)
    elif member.issym():
        _link(root, member.name, member.linkname)
    elif member.isreg() and not member.issparse() and (content := archive.extractfile(member)):
        _write(root, member.name, content.read, lambda _: None)
    else:
        raise _Unsafe(f"{member.name!r} is neither a file nor a folder")


class _Counted(RawIOBase):
    """A stream that a budget watches, headers included."""

    def __init__(self, stream: gzip.GzipFile, budget: _Budget) -> None:
        self._stream, self._budget = stream, budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        content = self._stream.read(len(memoryview(buffer)))
        self._budget.spend(len(content))
        memoryview(buffer)[: len(content)] = content
        return len(content)


def _write(root: Path, name: str, read: Callable[[int], bytes], spend: Callable[[int], None]) -> None:
    target = _place_of(root, name)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("xb") as stream:
            while chunk := read(CHUNK):
                spend(len(chunk))
                stream.write(chunk)
    except FileExistsError:
        raise _Unsafe(f"{name!r} is in it twice") from None


def _link(root: Path, name: str, aim: str) -> None:
    """webeval links a second name of a frame to the first, in the same folder; no other link is any run's."""
    if aim in ("", ".", "..") or "/" in aim or "\\" in aim or "\0" in aim:
        raise _Unsafe(f"{name!r} is a link to {aim[:100]!r}, out of its folder")
    target = _place_of(root, name)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(aim)


def _place_of(root: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or name[1:2] == ":":
        raise _Unsafe(f"{name[:100]!r} leads out of it")
    return root / path
