"""How long a copy of the sites takes to start and to be reset."""

import time
from pathlib import Path
from typing import Any

from webassay.bench.table import Row, measured
from webassay.core.processes import scratch_folder
from webassay.sites.site import Sites

RESET_GOAL_MS = 20.0
START_GOAL_S = 3.0


def site_rows(environment: dict[str, Any], data: Path, resets: int, starts: int) -> list[Row]:
    """A start ends when every site shows its ready text; a reset is made while the sites run."""
    started = [_start(environment, data, 0)[0] for _ in range(starts)]
    _, reset = _start(environment, data, resets)
    return [
        measured("site reset; wall", "ms", reset, RESET_GOAL_MS),
        measured("site start until every page is ready; wall", "s", started, START_GOAL_S),
    ]


def _start(environment: dict[str, Any], data: Path, resets: int) -> tuple[float, list[float]]:
    """Seconds to start, milliseconds of each reset."""
    with scratch_folder() as scratch:
        began = time.perf_counter()
        with Sites(environment, data, scratch) as sites:
            return time.perf_counter() - began, [_reset(sites) for _ in range(resets)]


def _reset(sites: Sites) -> float:
    began = time.perf_counter()
    sites.reset()
    return 1000 * (time.perf_counter() - began)
