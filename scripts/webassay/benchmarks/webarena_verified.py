"""WebArena Verified: 812 audited tasks over six sites, in the released records' own form."""

from pathlib import Path

from webassay.benchmarks.records import read_records, tasks_file
from webassay.core.task import Task, task_from_record

VERSION = 1
MEMBER = "webarena-verified.json"


def load(folder: Path) -> list[Task]:
    """Whether a task needs a login is not in the records, so `account` stays open."""
    path = tasks_file(folder, MEMBER)
    return [task_from_record(record, f"{path}, record {n}") for n, record in enumerate(read_records(path), 1)]
