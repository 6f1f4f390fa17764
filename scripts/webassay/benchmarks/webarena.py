"""The original WebArena: 812 tasks with the checks of its own harness, kept whole for the judge that knows them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from webassay.benchmarks.records import read_records, tasks_file
from webassay.core.task import PageRead, Task, task_from_record
from webassay.errors import TaskError

VERSION = 2
MEMBER = "test.raw.json"
EVALUATOR = "WebArenaEvaluator"
SEPARATOR = " |AND| "
SHARED = ("task_id", "intent", "sites", "intent_template_id", "intent_template", "instantiation_dict")


def load(folder: Path) -> list[Task]:
    path = tasks_file(folder, MEMBER)
    return [_task(record, f"{path}, record {n}") for n, record in enumerate(read_records(path), 1)]


def _task(record: Any, where: str) -> Task:
    """One evaluator with the record's `eval` as it stands; `record` keeps the fields that Task has no place for."""
    if not isinstance(record, dict) or not isinstance(record.get("eval"), dict):
        raise TaskError(f"{where}: not a task of the original WebArena, whose `eval` is an object")
    if not isinstance(record.get("start_url"), str):
        raise TaskError(f"{where}: start_url is missing")
    rest = {key: value for key, value in record.items() if key not in (*SHARED, "eval")}
    fields = {key: record[key] for key in SHARED if key in record} | {
        "start_urls": record["start_url"].split(SEPARATOR),
        "eval": [{"evaluator": EVALUATOR, **record["eval"], "record": rest}],
    }
    task = task_from_record(fields, where)
    try:
        return msgspec.structs.replace(task, pages=pages_of(record["eval"]))
    except msgspec.ValidationError as error:
        raise TaskError(f"{where}: program_html: {error}") from None


def pages_of(checks: Mapping[str, Any]) -> tuple[PageRead, ...]:
    """What `program_html` looks at, each once; calls of the original harness's functions stay as they are written."""
    wanted = [
        {key: check[key] for key in ("url", "locator", "prep_actions") if key in check}
        for check in checks.get("program_html") or ()
    ]
    return tuple(dict.fromkeys(msgspec.convert(wanted, tuple[PageRead, ...])))
