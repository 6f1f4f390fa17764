"""Task records of a fetched dataset, whichever way it came."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from webassay.core.files import read_json, read_jsonl
from webassay.errors import TaskError, WebassayError

OWN = ("tasks.json", "tasks.jsonl", "tasks.tsv")
"""How a user's own copy is kept: a JSON array, one record a line, or a table with tabs and a line of names."""
LONGEST_CELL = 2**24


def tasks_file(folder: Path, member: str | None = None) -> Path:
    """The named file of the released wheel, or else the user's own copy."""
    names = [name for name in (member, *OWN) if name and (folder / name).is_file()]
    if not names:
        raise TaskError(f"{folder}: no {member or OWN[1]}; remove the folder, and it is fetched again")
    return folder / names[0]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """Each row by the names of its columns; one with too many or too few cells is refused."""
    csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            for number, row in enumerate(csv.DictReader(stream, delimiter="\t", strict=True), 2):
                if None in row or None in row.values():
                    raise TaskError(f"{path}, row {number}: not as many cells as the first row has names")
                yield row
    except (csv.Error, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: not a table with tabs ({error})") from None


def required(record: Any, names: Sequence[str], where: str, kind: str) -> dict[str, Any]:
    """The record, if it has a text under each of the names."""
    lacking = [name for name in names if not isinstance(record, dict) or not str(record.get(name) or "").strip()]
    if lacking:
        raise TaskError(f"{where}: not a task of {kind}: no {', '.join(lacking)}")
    return dict(record)


def host_of(url: str, where: str) -> str:
    """`gamestop.com` of `https://www.gamestop.com/`: which site a task on the open web is about."""
    try:
        host = urlsplit(url).hostname
    except ValueError:
        host = None
    if not host or not url.startswith(("http://", "https://")):
        raise TaskError(f"{where}: {url!r} is no address of the web")
    return host.removeprefix("www.")


def read_records(path: Path) -> list[Any]:
    if path.suffix == ".tsv":
        return list(_rows(path))
    try:
        records = list(read_jsonl(path)) if path.suffix == ".jsonl" else read_json(path)
    except WebassayError as error:
        raise TaskError(str(error)) from None
    if not isinstance(records, list):
        raise TaskError(f"{path}: expected a JSON array of tasks")
    return records
