"""Files that are either whole or absent: write beside, fsync, rename."""

import codecs
import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from webassay.errors import DiskFull, WebassayError

ROOM_TO_GO_ON = 64 * 2**20
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding hostile JSON raises."""


def require_space(folder: Path) -> None:
    """A disk with no room is everybody's problem: going on would only break off every task."""
    free = shutil.disk_usage(folder).free
    if free < ROOM_TO_GO_ON:
        raise DiskFull(
            f"only {free / 2**20:.0f} MB left for {folder.resolve()}; make room and run the same command again: "
            "finished tasks are kept"
        )


def write_bytes(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """Replace `path` in one step; a reader or a crash never sees half of it.

    What can be made again at any time need not be `lasting`, safe from a power cut: waiting for the disk takes longer
    than making a small file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_json(path: Path, value: Any, indent: int = 2) -> None:
    """Key order is the caller's; msgspec structs and dataclasses are written by field."""
    write_bytes(path, msgspec.json.format(encode_lenient(value), indent=indent) + b"\n")


def write_jsonl(path: Path, records: Iterable[Any]) -> None:
    write_bytes(path, b"".join(msgspec.json.encode(record) + b"\n" for record in records))


def encode_lenient(value: Any) -> bytes:
    """JSON; half a surrogate pair, which pages and models can make and nobody can write, reads as '?'."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False).encode("utf-8", "replace")


def decode_lenient(content: bytes) -> Any:
    """JSON as Python's own writer makes it: NaN is a number, half a surrogate pair reads as '?'; else a ValueError."""
    try:
        return msgspec.json.decode(content)
    except UNREADABLE as error:
        try:
            text = json.dumps(json.loads(content), ensure_ascii=False)
            return json.loads(text.encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            raise ValueError(f"not valid JSON ({error})") from None


def read_json(path: Path) -> Any:
    """Decode a file, with or without the mark that some editors put first; the error names it."""
    try:
        return msgspec.json.decode(path.read_bytes().removeprefix(codecs.BOM_UTF8))
    except UNREADABLE as error:
        raise WebassayError(f"{path}: not valid JSON ({error})") from None


def read_jsonl(path: Path) -> Iterator[Any]:
    for number, line in enumerate(path.read_bytes().removeprefix(codecs.BOM_UTF8).splitlines(), 1):
        if line.strip():
            try:
                yield msgspec.json.decode(line)
            except UNREADABLE as error:
                raise WebassayError(f"{path}, line {number}: not valid JSON ({error})") from None
