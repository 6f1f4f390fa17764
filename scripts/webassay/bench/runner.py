"""The runner beside a bare Playwright script that does the same actions with the same evidence on."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from webassay.bench.bare import bare_attempt
from webassay.bench.table import Row, compared
from webassay.config.paths import RunPlan
from webassay.core.processes import scratch_folder
from webassay.core.task import Task
from webassay.errors import WebassayError
from webassay.sites.site import Sites
from webassay.systems.browser import find_browser, launch
from webassay.systems.oracle import Oracle
from webassay.systems.runner import Surroundings, run_attempt

GOAL = 1.15


def runner_row(run: RunPlan, data: Path, tasks: Sequence[Task], folder: Path, passes: int) -> Row:
    """One browser, one site, one context a task; the sides alternate task by task, and so does who begins."""
    pairs = []
    with _surroundings(run, data) as around:
        _pair(tasks[0], folder / "warm-up", around, ours_first=True)
        for number in range(passes):
            for index, task in enumerate(tasks):
                ours_first = (number + index) % 2 == 0
                pairs.append(_pair(task, folder / f"{number}-{task.task_id}", around, ours_first))
    return compared("runner / bare Playwright script, same actions, HAR and pictures; wall a task", "s", pairs, GOAL)


def _pair(task: Task, folder: Path, around: Surroundings, ours_first: bool) -> tuple[float, float]:
    if ours_first:
        ours = _ours(task, folder / "ours", around)
        return ours, _bare(task, folder / "bare", around)
    bare = _bare(task, folder / "bare", around)
    return _ours(task, folder / "ours", around), bare


def _ours(task: Task, folder: Path, around: Surroundings) -> float:
    started = time.perf_counter()
    ending = run_attempt(task, 0, folder, around)
    seconds = time.perf_counter() - started
    if ending.outcome != "answered":
        raise WebassayError(f"bench: task {task.task_id} was not answered: {ending.reason}")
    return seconds


def _bare(task: Task, folder: Path, around: Surroundings) -> float:
    started = time.perf_counter()
    bare_attempt(task, folder, around)
    return time.perf_counter() - started


@contextmanager
def _surroundings(run: RunPlan, data: Path) -> Iterator[Surroundings]:
    path = find_browser(run.config["browser"]["executable"])
    with scratch_folder() as scratch, sync_playwright() as playwright:
        with Sites(run.config["environment"], data, scratch) as sites:
            with launch(playwright, path, sites.addresses) as browser:
                yield Surroundings(Oracle(), run.config["system"], browser, path, sites)
