"""What a second worker brings: the oracle's tasks per minute with two and with one."""

import shutil
from pathlib import Path

from webassay.bench.table import Row, compared
from webassay.bench.workflow import Workplace
from webassay.core.files import read_json


def workers_row(folder: Path, limit: int | None, repeats: int) -> Row:
    pairs = [(_rate(folder, limit, 2), _rate(folder, limit, 1)) for _ in range(repeats)]
    return compared("oracle with 2 workers / with 1, from the first start to the last end", "tasks/min", pairs)


def _rate(folder: Path, limit: int | None, workers: int) -> float:
    """Tasks per minute while workers work; their start is not part of it."""
    chosen = f"system=oracle benchmark.select.limit={'null' if limit is None else limit}"
    place = Workplace(folder, f"{chosen} execution.workers={workers}")
    plan = place.plan()
    run = plan.runs[0].folder
    shutil.rmtree(folder / run, ignore_errors=True)
    place.run(*(run / "executed" / f"{shard}.json" for shard in plan.shards))
    times = [read_json(path) for path in (folder / run).glob("traj/*/times.json")]
    seconds: float = max(each["end_time"] for each in times) - min(each["start_time"] for each in times)
    return 60 * len(times) / seconds
