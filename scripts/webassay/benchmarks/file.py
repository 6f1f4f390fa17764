"""Anyone's tasks: a JSON Lines file in WebArena-Verified form."""

from pathlib import Path

from webassay.core.task import Task, read_tasks

VERSION = 1


def load(folder: Path) -> list[Task]:
    return read_tasks(folder / "tasks.jsonl")
