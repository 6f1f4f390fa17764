"""Anyone's tasks in WebArena-Verified form: a JSON Lines file, or a JSON array."""

from pathlib import Path

from webassay.benchmarks.records import read_records, tasks_file
from webassay.core.task import Task, task_from_record

VERSION = 1


def load(folder: Path) -> list[Task]:
    path = tasks_file(folder)
    return [task_from_record(record, f"{path}, record {n}") for n, record in enumerate(read_records(path), 1)]
