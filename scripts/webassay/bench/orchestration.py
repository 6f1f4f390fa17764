"""What the workflow costs a task when its trajectory is there: all that is neither agent nor site."""

import pandas as pd

from webassay.bench.prepared import forget_results
from webassay.bench.table import Row, measured
from webassay.bench.workflow import Workplace
from webassay.errors import WebassayError

GOAL_MS = 5.0


def orchestration_row(place: Workplace, tasks: int, runs: int, passes: int) -> Row:
    """Snakemake, Hydra, and a process for each stage of each run, judging included.

    Fetching is not, and neither is the report, which has rows of its own; it is made at the end.
    """
    what = f"orchestration of {runs} × {tasks} tasks: Snakemake + tasks, execute (skips), retry, verify, aggregate"
    row = measured(f"{what}; CPU a task", "ms", [_one_pass(place, tasks * runs) for _ in range(passes)], GOAL_MS)
    place.run()
    return row


def _one_pass(place: Workplace, count: int) -> float:
    forget_results(place)
    targets = [plan.scores for plan in place.plan().runs]
    cpu = place.run(*targets).cpu
    scores = pd.concat([pd.read_csv(place.folder / path) for path in targets])
    judged = int((scores["verification"] == "scored").sum())
    if judged != count:
        raise WebassayError(f"bench: {judged} of {count} prepared trajectories were judged; the measurement is void")
    return 1000 * cpu / count
