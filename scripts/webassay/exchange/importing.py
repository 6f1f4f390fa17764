"""Trajectories of anyone's in: `webassay import` as a function."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path

from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError, DiskFull, TrajectoryError, WebassayError
from webassay.exchange.archive import is_archive, unpacked
from webassay.exchange.place import place, workplace
from webassay.exchange.registry import FORMATS, detect, format_named
from webassay.exchange.report import Moved, Report, Watch, unwatched
from webassay.exchange.source import Source, folder_name
from webassay.exchange.trajectory import RECORD, Imported, LeftOut, Origin, write_import
from webassay.exchange.walk import Unit, folders, units


def import_trajectories(
    source: Path | str,
    dest: Path | str,
    format_name: str | None = None,
    *,
    limit: int | None = None,
    watch: Watch = unwatched,
) -> Report:
    """Each trajectory of a folder, a file or an archive becomes `dest/<task_id>/`; one that cannot is told, and the
    others go on. Given again, it adds what is new and leaves what stands; nothing is written over."""
    source, dest = Path(source), Path(dest)
    with _opened(source, dest) as root:
        name = format_name or _format_of(root, source)
        found = list(islice(_units(root, name), limit))
        if not found:
            raise ConfigError(f"{source}: no trajectory of format {name} in it ({format_named(name).about})")
        taken: dict[str, str] = {}
        moved = []
        for unit in found:
            one = _import(root, source, unit, dest, name, taken)
            moved.append(replace(one, reason=one.reason.replace(str(root), str(source))))  # of an archive
            watch(moved[-1], len(moved), len(found))
    return Report(name, tuple(moved))


@contextmanager
def _opened(source: Path, dest: Path) -> Iterator[Path]:
    """The folder or document to read; `dest` exists then, and lies outside of it."""
    try:
        source.stat()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{source}: no such file or folder ({error})") from None
    if source.is_dir() and dest.resolve().is_relative_to(source.resolve()):
        raise ConfigError(f"{dest}: lies in the source, which must not change; choose a DEST beside it")
    with workplace(dest), unpacked(source, dest) if is_archive(source) else nullcontext(source) as root:
        yield root


def _format_of(root: Path, source: Path) -> str:
    if root.is_file():
        return detect([[root.name]], source)
    return detect([names for _, names in folders(root)], source)


def _units(root: Path, format_name: str) -> Iterator[Unit]:
    documents = format_named(format_name).documents
    if root.is_file():
        yield root.parent, root.name
    else:
        yield from units(root, documents)


def _import(root: Path, given: Path, unit: Unit, dest: Path, format_name: str, taken: dict[str, str]) -> Moved:
    folder, document = unit
    base = root if root.is_dir() else folder
    name = os.path.relpath(folder / document, base)
    try:
        source = Source(base, folder)
        found = FORMATS[format_name].read(source, document)
        target = folder_name(found.task_id)
        other = taken.setdefault(target.casefold(), name)  # some disks know no case
        if other != name:
            raise TrajectoryError(f"task {found.task_id!r} came from {other} already; give each run a DEST of its own")
        left_out: list[LeftOut] = []

        def fill(unfinished: Path) -> None:
            left_out.extend(_fill(unfinished, format_name, source, found, Origin(given, name)))

        fate = place(dest, target, RECORD, fill)
        return Moved(name, fate, dest / target, left_out=tuple(left_out))
    except DiskFull:
        raise
    except WebassayError as error:
        return Moved(name, "skipped", reason=str(error))
    except RecursionError:
        return Moved(name, "skipped", reason=f"{folder / document}: nested too deeply")
    except OSError as error:
        return Moved(name, "skipped", reason=f"{error.filename or folder}: {error.strerror}")


def _fill(unfinished: Path, format_name: str, source: Source, found: Imported, origin: Origin) -> tuple[LeftOut, ...]:
    left_out = write_import(unfinished, format_name, source, found, origin)
    try:
        Trajectory.from_folder(unfinished, strict=True)
    except TrajectoryError as error:
        raise TrajectoryError(str(error).replace(str(unfinished), str(source.folder))) from None
    return left_out
