"""What has been scored, in `results/scores/<name>-<digest>/ledger.jsonl`: one line for each verdict, added at once.

In the user's own results and never among the logs: what lies there came with them, and verdicts that a stranger's
folder brings along must not stand. Another current folder therefore has another ledger, and judges anew.
"""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

import msgspec

from webassay.core.files import UNREADABLE, write_jsonl

Status = Literal["success", "failure", "error", "missing"]
RESULT = "eval_result.json"
LISTED = 20
"""Of names or ranges of them in a message."""


class Row(msgspec.Struct, frozen=True):
    """A line of scores.csv, but for the columns that all lines share."""

    task_id: str
    template: str
    sites: str
    status: Status
    score: float | None
    """None for an error and for a missing task: neither is a failure of the agent."""
    reason: str = ""
    attribution: str | None = None
    parse_failure: bool = False
    unvisited: tuple[str, ...] = ()
    """Sites of the task to which the trace has no answered request."""


class Entry(msgspec.Struct, frozen=True):
    identity: str
    row: Row
    result_bytes: int
    """Of the eval_result.json that belongs to it: a file of another size was not written with this line."""
    evaluator: str = ""
    """Whose verdict it is, as scores.csv names it."""


class Ledger:
    """One writer appends; a line cut short by a crash is passed over, and its task judged again."""

    def __init__(self, folder: Path, out: Path) -> None:
        self._out, self._path = out, folder / "ledger.jsonl"
        self._entries: dict[str, Entry] = {}
        self._lines = 0
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        content = self._path.read_bytes() if self._path.is_file() else b""
        for line in content.splitlines():
            self._lines += 1
            try:
                entry = msgspec.json.decode(line, type=Entry)
            except UNREADABLE:
                continue
            self._entries[entry.row.task_id] = entry
        self._torn = bool(content) and not content.endswith(b"\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
        if self._lines > 2 * len(self._entries) + 100:  # of many re-scorings; only the last of each task counts
            write_jsonl(self._path, self._entries.values())

    def __contains__(self, task_id: str) -> bool:
        return task_id in self._entries

    def kept(self, task_id: str, identity: str) -> Row | None:
        """The verdict under this very identity, if its eval_result.json stands too."""
        entry = self._entries.get(task_id)
        if entry is None or entry.identity != identity:
            return None
        try:
            whole = (self._out / task_id / RESULT).stat().st_size == entry.result_bytes
        except OSError:
            return None
        return entry.row if whole else None

    def unlisted(self, listed: Iterable[str]) -> dict[str, list[str]]:
        """Tasks with a verdict that scores.csv does not list, by whose it is: the file is of one judge."""
        found: dict[str, list[str]] = {}
        for task_id in self._entries.keys() - set(listed):
            entry = self._entries[task_id]
            if entry.identity and entry.evaluator:
                found.setdefault(entry.evaluator, []).append(task_id)
        return found

    def add(self, entry: Entry, *, final: bool = True) -> None:
        """One that is not final only ends an older one, whose eval_result.json is no more."""
        entry = entry if final else msgspec.structs.replace(entry, identity="")
        if self._stream is None:
            self._stream = self._path.open("ab", buffering=0)
            if self._torn:
                self._stream.write(b"\n")
        self._entries[entry.row.task_id] = entry
        self._lines += 1
        self._stream.write(msgspec.json.encode(entry) + b"\n")


def in_order(rows: Iterable[Row]) -> list[Row]:
    """By number where ids are numbers."""
    return sorted(rows, key=lambda row: numeric(row.task_id))


def numeric(task_id: str) -> tuple[bool, int, str]:
    return (False, int(task_id), "") if task_id.isascii() and task_id.isdigit() else (True, 0, task_id)


def ranges(names: Iterable[str]) -> str:
    """`1-3, 7, tent`."""
    found: list[list[str]] = []
    for name in sorted(names, key=numeric):
        follows = found and name.isdigit() and found[-1][-1].isdigit() and int(name) == int(found[-1][-1]) + 1
        found[-1].append(name) if follows else found.append([name])
    parts = [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found]
    return ", ".join(parts[:LISTED]) + (f" … ({len(parts) - LISTED} more)" if len(parts) > LISTED else "")
