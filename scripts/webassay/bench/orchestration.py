"""What the workflow costs a task when its trajectory is there: all that is neither agent nor site."""

import pandas as pd

from webassay.bench.prepared import forget_results
from webassay.bench.table import Row, measured
from webassay.bench.workflow import Workplace
from webassay.errors import WebassayError

GOAL_MS = 5.0


def orchestration_row(place: Workplace, tasks: int, runs: int, passes: int) -> Row:
    """Snakemake, Hydra, and a process for each stage of each run; judging is included, fetching is not."""
    what = (
        f"orchestration of {runs} × {tasks} tasks: Snakemake + tasks, execute (skips), retry, verify, aggregate, report"
    )
    return measured(f"{what}; CPU a task", "ms", [_one_pass(place, tasks * runs) for _ in range(passes)], GOAL_MS)


def _one_pass(place: Workplace, count: int) -> float:
    forget_results(place)
    cpu = place.run().cpu
    scores = pd.read_csv(place.folder / place.plan().folder / "scores.csv")
    judged = int((scores["verification"] == "scored").sum())
    if judged != count:
        raise WebassayError(f"bench: {judged} of {count} prepared trajectories were judged; the measurement is void")
    return 1000 * cpu / count
