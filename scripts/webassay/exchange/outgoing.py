"""What the writers of all formats ask of a trajectory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webassay.core.trajectory import LOG, Trajectory
from webassay.exchange.source import Source, picture_suffix
from webassay.exchange.trajectory import RECORD, JsonObject, LeftOut

EXPORT_RECORD = "export.json"
TASK = "task_data.json"
_WORDS = ("task", "intent", "confirmed_task", "ques", "instruction", "goal")
"""How benchmarks call the words of a task."""


def task_data(source: Source) -> Any:
    """As it stands; None where there is none."""
    return source.json(TASK) if TASK in source.names() else None


def task_words(data: Any) -> str:
    fields: JsonObject = data if isinstance(data, dict) else {}
    return next((fields[key] for key in _WORDS if isinstance(fields.get(key), str)), "")


def copy_frames(source: Source, trajectory: Trajectory, folder: Path, pattern: str) -> tuple[list[Path], list[LeftOut]]:
    """Pictures by their place from 0, under names such as `{}_full_screenshot`; what is no picture is left out."""
    frames, refused = [], []
    folder.mkdir()
    for place, path in enumerate(trajectory.screenshots):
        name = str(path.relative_to(trajectory.folder))
        if suffix := picture_suffix(source.first_bytes(name)):
            frames.append(folder / (pattern.format(place) + suffix))
            source.copy(name, frames[-1])
        else:
            refused.append(LeftOut(name, "neither PNG, JPEG nor WebP by its first bytes"))
    return frames, refused


def other_files(source: Source, trajectory: Trajectory, why: str, held: tuple[str, ...] = ()) -> Iterator[LeftOut]:
    """All that is neither log, answer, frame nor record of an exchange, nor `held` by the format."""
    used = {LOG, TASK, RECORD, EXPORT_RECORD, *held, *(path.name for path in trajectory.screenshots)}
    for name in source.names():
        if name not in used and not name.endswith("_answer.json"):
            yield LeftOut(name, why)
