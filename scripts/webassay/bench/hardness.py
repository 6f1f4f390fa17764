"""The hardness model on as much as the paper has: 655 tasks, eight agents; the CPU seconds of one process."""

import json
import sys
from pathlib import Path

from webassay.bench.table import Row, measured
from webassay.bench.workflow import invoke

TASKS, AGENTS = 655, 8
GOAL_SECONDS = 15.0
BUDGET, BINS, MIN_SUCCESSES = 30, (1, 3, 5, 8, 12, 18, 25), 30


def hardness_row(folder: Path, tasks: int, repeats: int) -> Row:
    """With one thread, as Snakemake gives a job; each repeat on the outcomes of other simulated agents."""
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = ["env", *(f"{name}={value}" for name, value in threads.items())]
    program = [*command, sys.executable, "-m", "webassay.bench.hardness", str(tasks)]
    found = [json.loads(invoke([*program, str(seed)], folder).output.splitlines()[-1]) for seed in range(repeats)]
    what = f"hardness model, {tasks} tasks × {AGENTS} agents, fit and posterior; CPU"
    return measured(what, "s", found, GOAL_SECONDS)


def main() -> None:
    import numpy as np

    from webassay.bench.judge_process import cpu_seconds
    from webassay.stats.attempts import pool_attempts
    from webassay.stats.hardness import build_model, hardness_table, laplace_posterior
    from webassay.stats.simulate import draw_outcomes, draw_world, synthetic_tasks
    from webassay.stats.steps import reference_steps

    count, seed = map(int, sys.argv[1:])
    rng = np.random.default_rng(seed)
    tasks, categories = synthetic_tasks(count, rng)
    outcomes = draw_outcomes(draw_world(tasks, categories, AGENTS, rng), rng)
    pool = pool_attempts(outcomes, tasks, categories, BUDGET)
    started = cpu_seconds()
    model = build_model(pool, reference_steps(pool, MIN_SUCCESSES), BINS, BUDGET)
    draws, _ = laplace_posterior(model, rng)
    hardness_table(pool, model, draws, 0.2)
    print(json.dumps(cpu_seconds() - started))


if __name__ == "__main__":
    main()
