"""Online-Mind2Web: 300 tasks on 137 sites of the open web, easy, medium or hard by the length of a person's way.

There are no templates; a task's host stands for one. `difficulty` is the level (benchmark.select.difficulties).
"""

from pathlib import Path
from typing import Any

from webassay.benchmarks.records import host_of, read_records, required, tasks_file
from webassay.core.task import Task, safe_id, task_from_record
from webassay.errors import TaskError

VERSION = 1
NAMES = ("task_id", "confirmed_task", "website", "level")
LEVELS = ("easy", "medium", "hard")


def load(folder: Path) -> list[Task]:
    path = tasks_file(folder)
    return [_task(record, f"{path}, record {n}") for n, record in enumerate(read_records(path), 1)]


def _task(record: Any, where: str) -> Task:
    found = required(record, NAMES, where, "Online-Mind2Web")
    if found["level"] not in LEVELS:
        raise TaskError(f"{where}: level {found['level']!r}, expected {', '.join(LEVELS)}")
    host = host_of(str(found["website"]), where)
    fields = {
        "task_id": safe_id(str(found["task_id"])),
        "intent": found["confirmed_task"],
        "sites": [host],
        "intent_template_id": host,
        "start_urls": [found["website"]],
        "difficulty": found["level"],
        "eval": [],
    }
    return task_from_record(fields, where)
