"""The task that a trajectory itself tells of, in `task_data.json`: ours, or in the words of another benchmark."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from webassay.core.files import decode_lenient
from webassay.core.task import Task, task_from_record
from webassay.errors import TaskError, TrajectoryError

INTENTS = ("intent", "confirmed_task", "question", "ques", "task_summary", "task_description", "task", "goal")
"""What webeval, Online-Mind2Web, WebVoyager, WebTailBench and BrowserGym call the words of a task."""
GROUPS = ("intent_template_id", "web_name", "benchmark", "level", "website")
"""And what could stand for its template, since tasks of one of these are alike."""
STARTS = ("init_url", "web", "url", "website", "start_url")
WEB = "web"
"""The one site of tasks on the open web."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def foreign_task(folder: Path) -> Task | None:
    """None where the folder does not say what was to be done."""
    path = folder / "task_data.json"
    if not path.is_file():
        return None
    try:
        record = decode_lenient(path.read_bytes())
    except (ValueError, OSError) as error:
        raise TrajectoryError(f"{path}: {error}") from None
    if not isinstance(record, dict):
        return None
    try:
        return task_from_record(record, str(path))
    except TaskError:
        return _told(record, folder.name)


def _told(record: Mapping[str, Any], name: str) -> Task | None:
    intent = _first(record, INTENTS)
    if not intent:
        return None
    start = _first(record, STARTS)
    task_id = _UNSAFE.sub("_", name).strip("._-")[:100] or "task"
    return Task(task_id, intent, (WEB,), _first(record, GROUPS) or task_id, (), (start,) if start else ())


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := record.get(name), str) and value.strip()), "")
