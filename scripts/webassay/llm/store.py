"""Replies of models, kept for good: `results/llm/<ab>/<sha256>.json.gz`, where <ab> are the first two digits.

An entry's name is the digest of what was asked: the model's name, the messages (of a picture its sha256), the sampling
parameters and the repeat index. Neither hosts nor keys are in it, so a folder of entries can be given to anyone. Each
entry holds the question beside the reply, so that its name can be checked. Entries are written once and never changed.
"""

import gzip
import logging
import os
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.digest import digest
from webassay.core.files import UNREADABLE
from webassay.core.processes import exclusive_folder
from webassay.errors import StoreError
from webassay.llm.client import Reply
from webassay.llm.pictures import digested

STORE_VERSION = 1
ENTRY = re.compile(r"([0-9a-f]{2})/(\1[0-9a-f]{62})\.json\.gz")
LARGEST = 64 * 2**20
_log = logging.getLogger(__name__)


class Question(msgspec.Struct, frozen=True):
    """What decides a reply, and so its key."""

    model: str
    messages: list[dict[str, Any]]
    """With digests in place of pictures."""
    parameters: dict[str, Any]
    repeat: int = 0
    """Which of several askings of the same: the votes of one judge."""

    @property
    def key(self) -> str:
        return digest([STORE_VERSION, self.model, self.messages, self.parameters, self.repeat])


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the store."""

    key: str
    question: Question
    reply: Reply
    asked_at: float
    """Seconds since 1970."""


def question_of(
    model: str, messages: Sequence[Mapping[str, Any]], parameters: dict[str, Any], repeat: int = 0
) -> Question:
    return Question(model, digested(messages), parameters, repeat)


@dataclass(frozen=True)
class Store:
    folder: Path

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json.gz"

    def get(self, key: str) -> Entry | None:
        """None where there is no entry; one that cannot be what it was is a StoreError that names it."""
        path = self.path(key)
        try:
            return read_entry(path.read_bytes(), key)
        except FileNotFoundError:
            return None
        except (ValueError, OSError) as error:
            raise StoreError(
                f"{path}: the stored reply is broken ({error}); llm.mode=record asks for it again"
            ) from None

    def put(self, entry: Entry) -> Entry:
        """The entry that is kept: of two that are made at once the first, so that both askers go by the same reply."""
        path, content = self.path(entry.key), encode(entry)
        if _write_once(path, content):
            return entry
        self.set_aside(entry.key)
        return entry if _write_once(path, content) else self.get(entry.key) or entry

    def set_aside(self, key: str) -> None:
        """A broken entry makes room for a new one, and stays for whoever wants to know; a good one stays in place.

        Two that found the same one broken do it in turn, so the second does not take away what the first put there.
        """
        path = self.path(key)
        with exclusive_folder(path.parent):
            try:
                self.get(key)
            except StoreError:
                aside = path.with_name(path.name + ".broken")
                os.replace(path, aside)
                _log.warning("%s: the stored reply was broken; it is now %s, to make room", path, aside.name)

    def stored(self) -> Iterator[str]:
        """In order; whatever else lies in the folder is passed over."""
        for path in sorted(self.folder.glob("??/*.json.gz")):
            if match := ENTRY.fullmatch(path.relative_to(self.folder).as_posix()):
                yield match[2]

    def misnamed(self) -> Iterator[Path]:
        """Files that look like entries, and that nobody would find."""
        for path in sorted(self.folder.rglob("*.json.gz")):
            if not ENTRY.fullmatch(path.relative_to(self.folder).as_posix()):
                yield path


def encode(entry: Entry) -> bytes:
    """The same bytes on every machine and at any time."""
    return gzip.compress(msgspec.json.encode(msgspec.to_builtins(entry), order="sorted"), mtime=0)


def read_entry(content: bytes, key: str) -> Entry:
    """A ValueError for anything but the entry of that key."""
    try:
        unpacker = zlib.decompressobj(wbits=31)
        plain = unpacker.decompress(content, LARGEST)
        if not unpacker.eof:
            raise ValueError("cut short, or larger than a reply can be")
        entry = msgspec.json.decode(plain, type=Entry)
    except (zlib.error, *UNREADABLE) as error:
        raise ValueError(str(error)) from None
    if not entry.key == entry.question.key == key:
        raise ValueError(f"it is of another question: {entry.question.key}")
    return entry


def entry_of(question: Question, reply: Reply, now: float) -> Entry:
    return Entry(question.key, question, msgspec.convert(digested(asdict(reply)), Reply), now)


def _write_once(path: Path, content: bytes) -> bool:
    """False when somebody was first; a reader never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(beside, 0o644)
        os.link(beside, path)
    except FileExistsError:
        return False
    finally:
        os.unlink(beside)
    return True
