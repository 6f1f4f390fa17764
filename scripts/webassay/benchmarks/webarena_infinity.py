"""WebArena-Infinity: applications of a checkout, each with its own tasks and a verifier in Python for each of them.

`<app>/real-tasks.json` and `<app>/function-tasks.json` are arrays of `{"id", "instruction", "verify", "difficulty"}`.
There are no templates: each task is its own, so that statistics by template say no more than the tasks do.
"""

import re
import shutil
from pathlib import Path
from posixpath import normpath
from typing import Any

from webassay.benchmarks.records import read_records
from webassay.core.task import Task, safe_id, task_from_record
from webassay.errors import TaskError

VERSION = 2
EVALUATOR = "InfinityEvaluator"
SETS = ("real", "function")
VERIFIER = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.py")


def load(folder: Path) -> list[Task]:
    """Of every application in the folder; ids are `<app>-real-task_e1` and `<app>-function-task_1`."""
    files = [(file, kind) for kind in SETS for file in folder.glob(f"*/{kind}-tasks.json")]
    if not files:
        raise TaskError(f"{folder}: no application has a real-tasks.json or a function-tasks.json")
    return [
        _task(record, file.parent.name, kind, f"{file}, record {number}")
        for file, kind in sorted(files, key=lambda each: (each[0].parent.name, SETS.index(each[1])))
        for number, record in enumerate(read_records(file), 1)
    ]


def take_tasks(apps: str, names: str, folder: Path) -> None:
    """Keep the lists of tasks; the applications themselves are run from the checkout."""
    for name in names.split(","):
        (folder / name).mkdir()
        for kind in SETS:
            if (file := Path(apps) / name / f"{kind}-tasks.json").is_file():
                shutil.copyfile(file, folder / name / file.name)


def _task(record: Any, app: str, kind: str, where: str) -> Task:
    words = {key: _word(record.get(key)) for key in ("id", "difficulty")} if isinstance(record, dict) else {}
    if not words.get("id") or not isinstance(record.get("instruction"), str):
        raise TaskError(f"{where}: not a task of WebArena-Infinity, which has an id and an instruction")
    verify = record.get("verify")
    file = normpath(verify) if isinstance(verify, str) else ""
    if not VERIFIER.fullmatch(file):
        raise TaskError(f"{where}: verify={verify!r} is no Python file below the application's folder")
    name = safe_id(f"{app}-{kind}-{words['id']}")
    return task_from_record(
        {
            "task_id": name,
            "intent": record["instruction"],
            "sites": [app],
            "intent_template_id": name,
            "difficulty": words["difficulty"],
            "eval": [{"evaluator": EVALUATOR, "verify": file}],
        },
        where,
    )


def _word(value: Any) -> str | None:
    """Numbers are names too."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None
