"""All rows, in one run."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webassay.bench.hardness import TASKS as HARDNESS_TASKS
from webassay.bench.hardness import hardness_row
from webassay.bench.judging import judging_rows
from webassay.bench.model_bound import model_bound_row
from webassay.bench.model_judging import model_judging_row
from webassay.bench.noop import noop_row
from webassay.bench.orchestration import orchestration_row
from webassay.bench.prepared import prepare
from webassay.bench.reading import reading_rows
from webassay.bench.report import opening_rows, pages_row
from webassay.bench.runner import runner_row
from webassay.bench.site import site_rows
from webassay.bench.table import LeftOut, Row
from webassay.bench.workers import workers_row
from webassay.bench.workflow import Workplace
from webassay.benchmarks.selection import load_tasks
from webassay.config.paths import RunPlan
from webassay.core.task import Task
from webassay.errors import ConfigError


@dataclass(frozen=True)
class Scale:
    runs: int = 10
    tasks: int = 812
    passes: int = 3
    noops: int = 7
    runner_tasks: int | None = 24
    """None takes all of miniweb's, and most of an hour."""
    runner_passes: int = 3
    resets: int = 100
    starts: int = 5
    worker_repeats: int = 2
    waiting_workers: int = 8
    waiting_tasks: int = 32
    waiting_questions: int = 30
    """Of a task: as many as the steps that agents have."""
    judged_tasks: int | None = None
    """None takes all of WebArena Verified's."""
    judging_passes: int = 3
    model_judged: int = 300
    read_trajectories: int = 10_000
    hardness_tasks: int = HARDNESS_TASKS
    hardness_fits: int = 3


SCALES = {
    "full": Scale(),
    "small": Scale(
        runs=2,
        tasks=14,
        passes=1,
        noops=2,
        runner_tasks=2,
        runner_passes=1,
        resets=5,
        starts=1,
        worker_repeats=1,
        waiting_workers=2,
        waiting_tasks=4,
        waiting_questions=3,
        judged_tasks=8,
        judging_passes=1,
        model_judged=16,
        read_trajectories=20,
        hardness_tasks=40,
        hardness_fits=1,
    ),
}


def scale_named(name: str) -> Scale:
    if name not in SCALES:
        raise ConfigError(f"bench_scale={name}: no such scale; available: {', '.join(SCALES)}")
    return SCALES[name]


def measure(scale: Scale, folder: Path) -> Iterator[Row | LeftOut]:
    """Each row when it is there; `folder` is emptied before and removed after."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process would compile us anew, and only us
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for row in _rows(scale, folder):
        found = f"left out: {row.why}" if isinstance(row, LeftOut) else f"{row.ours:.3g} {row.unit}, {row.result}"
        print(f"bench: {row.what}: {found}", file=sys.stderr, flush=True)
        yield row
    shutil.rmtree(folder)


def built_site(folder: Path) -> tuple[RunPlan, Path, list[Task]]:
    """The oracle's run on miniweb, the site's data, and its tasks; building it also warms up everything."""
    place = Workplace(folder, "system=oracle")
    run = place.plan().runs[0]
    place.run(*(data.manifest for data in run.datasets))
    data = folder / run.benchmark_data.folder
    return run, data, load_tasks(run.config, data)


def _rows(scale: Scale, folder: Path) -> Iterator[Row | LeftOut]:
    run, data, tasks = built_site(folder)
    yield runner_row(run, data, tasks[: scale.runner_tasks], folder / "runner", scale.runner_passes)
    yield from site_rows(run.config["environment"], data, scale.resets, scale.starts)
    yield workers_row(folder, scale.runner_tasks, scale.worker_repeats)
    yield pages_row(folder, scale.runner_tasks, scale.passes)
    waiting = (scale.waiting_workers, scale.waiting_tasks, scale.waiting_questions)
    yield model_bound_row(folder, *waiting)
    # Thousands of new files, so late: ext4 has by now forgotten those that an earlier measurement deleted.
    place = prepare(folder, tasks, scale.tasks, scale.runs)
    yield orchestration_row(place, scale.tasks, scale.runs, scale.passes)
    yield noop_row(place, scale.tasks, scale.runs, scale.noops)
    yield from opening_rows(place, scale.tasks, scale.runs)
    yield from reading_rows(folder / "reading", scale.read_trajectories, scale.passes)
    yield model_judging_row(folder / "model_judging", scale.model_judged, scale.passes)
    yield hardness_row(folder, scale.hardness_tasks, scale.hardness_fits)
    yield from judging_rows(folder, scale.judged_tasks, scale.judging_passes)
