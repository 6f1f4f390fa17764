"""WebTailBench: 609 tasks in 11 segments, as tables with tabs: V1, V2 (other texts and rubrics), and 111 refusals.

A segment stands for a template. A rubric that comes with a task is kept in `eval` for the judge `rubric`, so another
rubric re-judges and re-runs nothing. Rows of the refusals are marked: there, declining is the success.
"""

from pathlib import Path
from typing import Any

import msgspec

from webassay.benchmarks.records import host_of, read_records, required, tasks_file
from webassay.core.files import UNREADABLE
from webassay.core.task import Task, safe_id, task_from_record
from webassay.errors import TaskError

VERSION = 1
EVALUATOR = "RubricEvaluator"


def load(folder: Path) -> list[Task]:
    path = tasks_file(folder)
    return [task_of(record, f"{path}, record {n}") for n, record in enumerate(read_records(path), 1)]


def task_of(record: Any, where: str, *, refusal: bool = False) -> Task:
    """Older tables call the id `subdir`, and that of the refusals may call the segment `category`."""
    for name, other in (("id", "subdir"), ("benchmark", "category")):
        if isinstance(record, dict) and name not in record and other in record:
            record = record | {name: record[other]}
    found = required(record, ("id", "task_summary", "benchmark"), where, "WebTailBench")
    segment, start = str(found["benchmark"]).strip(), str(found.get("init_url") or "").strip()
    evaluator: dict[str, Any] = {"evaluator": EVALUATOR}
    if rubric := _rubric(found.get("precomputed_rubric"), where):
        evaluator["rubric"] = rubric
    fields = {
        "task_id": safe_id(str(found["id"]).strip()),
        "intent": str(found["task_summary"]).strip(),
        "sites": [host_of(start, where) if start else "web"],
        "intent_template_id": segment,
        "start_urls": [start] if start else [],
        "eval": [evaluator | ({"refusal": True} if refusal else {})],
    }
    return task_from_record(fields, where)


def _rubric(cell: Any, where: str) -> dict[str, Any] | None:
    if not str(cell or "").strip():
        return None
    try:
        rubric = msgspec.json.decode(cell) if isinstance(cell, str) else cell
    except UNREADABLE as error:
        raise TaskError(f"{where}: precomputed_rubric is not JSON ({error})") from None
    if not isinstance(rubric, dict) or not isinstance(rubric.get("items"), list):
        raise TaskError(f"{where}: precomputed_rubric has no list of items")
    return rubric
