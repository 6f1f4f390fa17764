"""Mends of tasks that no run can pass, or that doing nothing passes: read from errata.yaml, beside this file."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from webassay.core.digest import digest
from webassay.core.task import Task
from webassay.errors import JudgeError

FILE = Path(__file__).with_name("errata.yaml")


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: tuple[int | str, ...]
    """The way to one value in `eval`; the number after the last of a list adds one."""
    to: Any


class Erratum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    why: str
    evidence: str
    of: dict[str, str]
    """Task ids, each with the digest of the `eval` that is mended."""
    change: tuple[Change, ...]


@cache
def errata() -> dict[str, Erratum]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    entries = msgspec.convert(yaml.load(FILE.read_text(), Loader=loader), list[Erratum])
    return {task_id: entry for entry in entries for task_id in entry.of}


def mended(task: Task) -> Task:
    """The task as it should have been; another benchmark's task of the same id is left as it is."""
    entry = errata().get(task.task_id)
    if entry is None or not _digest(task).startswith(entry.of[task.task_id]):
        return task
    evaluators: Any = [deepcopy(one) for one in task.eval]
    for change in entry.change:
        *above, last = change.at
        target = evaluators
        for key in above:
            target = target[key]
        if isinstance(target, list) and last == len(target):
            target.append(change.to)
        else:
            target[last] = change.to
    return msgspec.structs.replace(task, eval=tuple(evaluators))


def _digest(task: Task) -> str:
    try:
        return digest(task.eval)
    except ValueError as error:  # a number or a text that JSON has not
        raise JudgeError(f"task {task.task_id}: eval: {error}") from None
