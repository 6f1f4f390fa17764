"""webeval's own folder, of any generation, and ours, which is the same with more files.

In: every file is copied as it stands. A second name that webeval's evaluators gave to a frame stays a link; links that
lead elsewhere are not followed. Out: what webeval's reader accepts, so keys that it does not know are dropped from the
answer, and lines of the log are mended where it would stumble over them (blank ones, a byte order mark, `arguments`
that are null).
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from webassay.core.answer import answer_files
from webassay.core.events import BOM
from webassay.core.files import decode_lenient
from webassay.core.trajectory import LOG, Trajectory
from webassay.errors import TrajectoryError
from webassay.exchange.source import Source
from webassay.exchange.trajectory import RECORD, Imported, LeftOut, Tool, write_readable

DEPTH = 6
"""`attempts/<n>/scores/superseded/<digest>/` and one more."""
FILES = (LOG, "times.json", "core.log", "task_data.json")
_ANSWER = "_final_answer.json"


def documents(names: Sequence[str]) -> list[str]:
    """An answer without a log is told of by the reader, and not passed over."""
    return [LOG] if LOG in names else [name for name in names if name.endswith(_ANSWER)][:1]


def read(source: Source, document: str, tool: str = "webeval") -> Imported:
    copied: dict[str, str] = {}
    links: dict[str, str] = {}
    left_out = []
    for name, path in _tree(source):
        if name == RECORD:
            continue
        if path.is_symlink() and (frame := _frame_beside(path)):
            links[name] = frame
        elif source.has(name):
            copied[name] = name
        else:
            left_out.append(LeftOut(name, "a link out of the source, or no file"))
    answers = answer_files([name for name in (*copied, *links) if "/" not in name])
    if len(answers) != 1:
        raise TrajectoryError(f"{len(answers)} answer files in {source.folder}, expected 1")
    task_id = answers[0].removesuffix(_ANSWER) if answers[0].endswith(_ANSWER) else source.folder.name
    return Imported(
        task_id=task_id,
        tool=Tool(tool),
        copied=copied,
        links=links,
        left_out=tuple(left_out),
        previous=_previous(source),
    )


def read_ours(source: Source, document: str) -> Imported:
    return read(source, document, tool="webassay")


def _tree(source: Source) -> Iterator[tuple[str, Path]]:
    """Files and links by their names relative to the folder."""
    pending = [("", 0)]
    while pending:
        below, depth = pending.pop()
        for name in source.names(below):
            relative = f"{below}/{name}" if below else name
            path = source.folder / relative
            if path.is_dir() and not path.is_symlink():
                if depth == DEPTH:
                    raise TrajectoryError(f"{path}: folders in folders, more than {DEPTH}")
                pending.append((relative, depth + 1))
            else:
                yield relative, path


def _frame_beside(path: Path) -> str | None:
    """The name of the file in the same folder that a link leads to."""
    try:
        aim = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    return aim.name if aim.is_file() and aim.parent == path.parent.resolve() else None


def _previous(source: Source) -> dict[str, Any] | None:
    if RECORD not in source.names():
        return None
    record = source.json(RECORD)
    return record if isinstance(record, dict) else None


def write(source: Source, trajectory: Trajectory, folder: Path) -> list[LeftOut]:
    """The files that webeval knows, and no others."""
    left_out = []
    screenshots = [os.path.relpath(path, trajectory.folder) for path in trajectory.screenshots]
    kept = {*screenshots, *(name for name in FILES if name in source.names() and name != LOG)}
    scores = {f"scores/{name}" for name in source.names("scores") if _is_score(source, name)}
    for name in sorted(kept | scores):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        source.copy(name, folder / name)
    (folder / LOG).write_bytes(_log(source.read(LOG)))
    listed = screenshots if trajectory.answer.screenshots else []
    record = trajectory.answer.record() | {"screenshots": listed, "is_rel_paths": True}
    for key in trajectory.answer.extra:
        left_out.append(LeftOut(f"{key} of the answer", "webeval's reader refuses keys that it does not know"))
        del record[key]
    write_readable(folder / f"{folder.name}{_ANSWER}", record)
    answers = set(answer_files(source.names()))
    for name, _ in _tree(source):
        if name not in kept | scores | answers | {LOG, RECORD, "export.json"}:
            left_out.append(LeftOut(name, "a second name of a frame, or no file of webeval's"))
    return left_out


def _is_score(source: Source, name: str) -> bool:
    return name.endswith(".json") and not name.endswith(".meta.json") and source.has(f"scores/{name}")


def _log(content: bytes) -> bytes:
    """As it stands, unless a line of it would stop webeval's reader."""
    lines = [line for line in content.removeprefix(BOM).split(b"\n") if line.strip()]
    return b"".join(_mended(line) + b"\n" for line in lines)


def _mended(line: bytes) -> bytes:
    event = decode_lenient(line)
    if isinstance(event, dict) and event.get("action") is not None and event.get("arguments") is None:
        return json.dumps(event | {"arguments": {}}, ensure_ascii=False).encode("utf-8", "replace")
    return line.strip()
