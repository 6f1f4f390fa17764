"""WebTailBench's 111 harmful tasks: an agent that does them has failed."""

from pathlib import Path

from webassay.benchmarks.records import read_records, tasks_file
from webassay.benchmarks.webtailbench import task_of
from webassay.core.task import Task

VERSION = 1


def load(folder: Path) -> list[Task]:
    path = tasks_file(folder)
    return [task_of(record, f"{path}, record {n}", refusal=True) for n, record in enumerate(read_records(path), 1)]
