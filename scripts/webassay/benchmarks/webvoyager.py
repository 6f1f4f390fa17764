"""WebVoyager: tasks on 15 sites of the open web, in the original's 643 or in the 595 that webeval brought up to date.

There are no templates; a task's site stands for one, since tasks of one site are alike. Reference answers come in a
file of their own, are out of date where questions were changed, and no judge of this benchmark reads them.
"""

from pathlib import Path
from typing import Any

from webassay.benchmarks.records import host_of, read_records, required, tasks_file
from webassay.core.task import Task, safe_id, task_from_record

VERSION = 1
NAMES = ("web_name", "id", "ques", "web")


def load(folder: Path) -> list[Task]:
    path = tasks_file(folder)
    return [_task(record, f"{path}, record {n}") for n, record in enumerate(read_records(path), 1)]


def _task(record: Any, where: str) -> Task:
    found = required(record, NAMES, where, "WebVoyager")
    host_of(found["web"], where)
    site = "_".join(str(found["web_name"]).lower().split())
    fields = {
        "task_id": safe_id(str(found["id"])),
        "intent": found["ques"],
        "sites": [site],
        "intent_template_id": site,
        "start_urls": [found["web"]],
        "eval": [],
    }
    return task_from_record(fields, where)
