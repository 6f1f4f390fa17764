"""Stores of replies on their way between people: packed, merged, checked; no reply is ever replaced by another."""

import tarfile
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import UNREADABLE
from webassay.errors import StoreError
from webassay.llm.store import ENTRY, LARGEST, Store, encode, read_entry


class _Named(msgspec.Struct):
    replies: tuple[str, ...] = ()


@dataclass
class Merged:
    added: int = 0
    same: int = 0
    different: int = 0
    """Of the same question, with another reply: the one that was here stays."""
    broken: tuple[str, ...] = ()


def pack(store: Store, archive: Path, runs: list[Path]) -> int:
    """A tar file of the entries that scores below `runs` rest on, of all when there are no runs; returns how many."""
    keys = sorted(_named(runs)) if runs else list(store.stored())
    if missing := [key for key in keys if not store.path(key).is_file()]:
        raise StoreError(f"{store.folder} lacks {len(missing)} of {len(keys)} replies; first: {missing[0]}")
    if not keys:
        raise StoreError(f"there is nothing to pack: {', '.join(map(str, runs)) or store.folder} names no replies")
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for key in keys:
            path = store.path(key)
            tar.add(path, path.relative_to(store.folder).as_posix(), recursive=False, filter=_anonymous)
    return len(keys)


def merge(store: Store, source: Path) -> Merged:
    """Add what `source`, an archive or another store's folder, has and this store has not."""
    done = Merged()
    for name, content in _entries(source):
        try:
            entry = read_entry(content, ENTRY.fullmatch(name)[2])  # type: ignore[index]
        except ValueError as error:
            done.broken += (f"{name}: {error}",)
            continue
        kept = store.put(entry)
        if kept is entry:
            done.added += 1
        elif encode(kept) == encode(entry) or kept.reply == entry.reply:
            done.same += 1
        else:
            done.different += 1
    return done


def verify(store: Store) -> tuple[int, list[str]]:
    """How many entries are what their names say, and what is wrong with the others."""
    if not store.folder.is_dir():
        raise StoreError(f"{store.folder}: there is no such folder; --store DIR names a store of replies")
    good, problems = 0, [f"{path}: no reply has such a name" for path in store.misnamed()]
    for key in store.stored():
        try:
            store.get(key)
            good += 1
        except StoreError as error:
            problems.append(str(error))
    return good, problems


def command(options: Namespace) -> int:
    """`webassay judge-store`; 1 when something in the store or archive is broken."""
    store = Store(Path(options.store))
    if options.action == "pack":
        print(f"{pack(store, Path(options.archive), [Path(run) for run in options.runs])} replies packed")
        return 0
    if options.action == "merge":
        done = merge(store, Path(options.source))
        print(f"{done.added} added, {done.same} here already, {done.different} differ from those here, which stay")
        problems = list(done.broken)
    else:
        good, problems = verify(store)
        print(f"{good} good")
    for problem in problems:
        print(f"broken: {problem}")
    return 1 if problems else 0


def _named(runs: list[Path]) -> set[str]:
    """The keys in every sidecar below the folders."""
    keys: set[str] = set()
    for run in runs:
        for path in run.rglob("scores/*.meta.json"):
            try:
                keys |= set(msgspec.json.decode(path.read_bytes(), type=_Named).replies)
            except UNREADABLE as error:
                raise StoreError(f"{path}: {error}") from None
    return keys


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The same archive whoever packs it, and when."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime, member.mode = 0, 0o644
    return member


def _entries(source: Path) -> Iterator[tuple[str, bytes]]:
    if source.is_dir():
        other = Store(source)
        yield from (
            (other.path(key).relative_to(source).as_posix(), other.path(key).read_bytes()) for key in other.stored()
        )
        return
    try:
        with tarfile.open(source) as tar:
            for member in tar:
                if member.isreg() and member.size <= LARGEST and ENTRY.fullmatch(member.name):
                    stream: Any = tar.extractfile(member)
                    yield member.name, stream.read()
    except (tarfile.TarError, OSError, EOFError) as error:
        raise StoreError(f"{source}: not an archive of replies ({error})") from None
