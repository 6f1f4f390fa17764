"""Trajectories out, in the form that another tool reads: `webassay export` as a function."""

import os
from itertools import islice
from pathlib import Path

import msgspec

import webassay
from webassay.core.trajectory import LOG, Trajectory
from webassay.errors import ConfigError, DiskFull, TrajectoryError, WebassayError
from webassay.exchange import webeval
from webassay.exchange.outgoing import EXPORT_RECORD
from webassay.exchange.place import place, workplace
from webassay.exchange.registry import EXPORTS, Write, format_named
from webassay.exchange.report import Moved, Report, Watch, unwatched
from webassay.exchange.source import Source, folder_name
from webassay.exchange.trajectory import LeftOut, write_readable
from webassay.exchange.walk import units


class ExportRecord(msgspec.Struct, frozen=True):
    """`export.json`: what was exported, and what the format could not hold."""

    format: str
    task_id: str
    digest: str
    """Of `files`."""
    files: dict[str, str]
    left_out: tuple[LeftOut, ...]
    webassay: str


def export_trajectories(
    source: Path | str, dest: Path | str, format_name: str, *, limit: int | None = None, watch: Watch = unwatched
) -> Report:
    """Each trajectory of a tree becomes `dest/<task_id>/`; one that cannot is told, and the others go on."""
    source, dest = Path(source), Path(dest)
    write = format_named(format_name).write
    if write is None:
        raise ConfigError(f"--format {format_name}: can be imported and not exported; exports are {', '.join(EXPORTS)}")
    if not source.is_dir():
        raise ConfigError(f"{source}: no such folder")
    if dest.resolve().is_relative_to(source.resolve()):
        raise ConfigError(f"{dest}: lies in the source, which must not change; choose a DEST beside it")
    found = [folder for folder, _ in islice(units(source, webeval.documents), limit)]
    if not found:
        raise ConfigError(f"{source}: no trajectory in it; each has a {LOG}")
    taken: dict[str, str] = {}
    moved: list[Moved] = []
    with workplace(dest):
        for folder in found:
            moved.append(_export(source, folder, dest, format_name, write, taken))
            watch(moved[-1], len(moved), len(found))
    return Report(format_name, tuple(moved))


def _export(root: Path, folder: Path, dest: Path, format_name: str, write: Write, taken: dict[str, str]) -> Moved:
    name = root.name if folder == root else os.path.relpath(folder, root)
    try:
        trajectory = Trajectory.from_folder(folder, strict=True)
        target = folder_name(trajectory.task_id)
        other = taken.setdefault(target.casefold(), name)  # some disks know no case
        if other != name:
            raise TrajectoryError(
                f"task {trajectory.task_id!r} came from {other} already; give each run a DEST of its own"
            )
        left_out: list[LeftOut] = []

        def fill(unfinished: Path) -> None:
            source = Source(folder, folder)
            left_out.extend(write(source, trajectory, unfinished))
            source.require_unchanged()
            record = ExportRecord(
                format_name, trajectory.task_id, source.digest, source.digests, tuple(left_out), webassay.__version__
            )
            write_readable(unfinished / EXPORT_RECORD, msgspec.to_builtins(record))

        fate = place(dest, target, EXPORT_RECORD, fill)
        return Moved(name, fate, dest / target, left_out=tuple(left_out))
    except DiskFull:
        raise
    except WebassayError as error:
        return Moved(name, "skipped", reason=str(error))
    except RecursionError:
        return Moved(name, "skipped", reason=f"{folder}: nested too deeply")
    except OSError as error:
        return Moved(name, "skipped", reason=f"{error.filename or folder}: {error.strerror}")
