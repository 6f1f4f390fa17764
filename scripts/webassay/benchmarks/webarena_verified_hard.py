"""The hard subset of WebArena Verified: 258 of its tasks, by the list that the release carries."""

from pathlib import Path

import msgspec

from webassay.benchmarks import webarena_verified
from webassay.core.digest import digest
from webassay.core.files import UNREADABLE
from webassay.core.task import Task
from webassay.errors import TaskError

VERSION = 1
MEMBER = "webarena-verified-hard.json"


class Subset(msgspec.Struct, frozen=True):
    task_ids: tuple[int, ...]
    checksum: str
    """sha256 over the sorted ids as compact JSON."""


def load(folder: Path) -> list[Task]:
    wanted = {str(number) for number in read_subset(folder / MEMBER).task_ids}
    tasks = [task for task in webarena_verified.load(folder) if task.task_id in wanted]
    if missing := wanted - {task.task_id for task in tasks}:
        raise TaskError(f"{folder / MEMBER} lists tasks that the benchmark has not: {', '.join(sorted(missing)[:10])}")
    return tasks


def read_subset(path: Path) -> Subset:
    try:
        subset = msgspec.json.decode(path.read_bytes(), type=Subset)
    except FileNotFoundError:
        raise TaskError(
            f"{path}: the list of hard tasks comes with the wheel only; give benchmark.path=….whl instead of a task "
            "file, or none"
        ) from None
    except UNREADABLE as error:
        raise TaskError(f"{path}: not a subset of tasks ({error})") from None
    if digest(sorted(subset.task_ids)) != subset.checksum:
        raise TaskError(f"{path}: the ids do not have the checksum that stands beside them; the file was changed")
    return subset
