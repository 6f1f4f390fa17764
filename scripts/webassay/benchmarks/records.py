"""Task records of a fetched dataset, whichever way it came."""

from pathlib import Path
from typing import Any

from webassay.core.files import read_json, read_jsonl
from webassay.errors import TaskError, WebassayError

OWN = ("tasks.json", "tasks.jsonl")
"""How a user's own copy is kept: a JSON array, or one record a line."""


def tasks_file(folder: Path, member: str | None = None) -> Path:
    """The named file of the released wheel, or else the user's own copy."""
    names = [name for name in (member, *OWN) if name and (folder / name).is_file()]
    if not names:
        raise TaskError(f"{folder}: no {member or OWN[1]}; remove the folder, and it is fetched again")
    return folder / names[0]


def read_records(path: Path) -> list[Any]:
    try:
        records = list(read_jsonl(path)) if path.suffix == ".jsonl" else read_json(path)
    except WebassayError as error:
        raise TaskError(str(error)) from None
    if not isinstance(records, list):
        raise TaskError(f"{path}: expected a JSON array of tasks")
    return records
