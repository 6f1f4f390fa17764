"""Small pools of simulated attempts, with their truth."""

from dataclasses import asdict

import numpy as np
import pandas as pd

from webassay.config.schema.analysis import Subset
from webassay.stats.attempts import Pool, pool_attempts
from webassay.stats.hardness import Model, build_model, hardness_table, laplace_posterior
from webassay.stats.simulate import World, draw_outcomes, draw_world, synthetic_tasks
from webassay.stats.steps import reference_steps
from webassay.stats.subset import Settings, settings_of

SETTINGS: Settings = settings_of(asdict(Subset()))


def simulated(seed: int, tasks: int = 80, agents: int = 6) -> tuple[World, Pool]:
    rng = np.random.default_rng(seed)
    world = draw_world(*synthetic_tasks(tasks, rng), agents, rng)
    return world, pool_attempts(draw_outcomes(world, rng), world.tasks, world.categories, SETTINGS.budget)


def model_of(pool: Pool) -> Model:
    return build_model(pool, reference_steps(pool, SETTINGS.min_successes), SETTINGS.bins, SETTINGS.budget)


def fitted(pool: Pool, seed: int = 0) -> pd.DataFrame:
    model = model_of(pool)
    return hardness_table(pool, model, laplace_posterior(model, np.random.default_rng(seed))[0], 0.2)


def truth(world: World, table: pd.DataFrame) -> "pd.Series[float]":
    """p of an average agent at each task's n_ref."""
    place = {task.task_id: number for number, task in enumerate(world.tasks)}
    steps = np.zeros(len(world.tasks))
    rows = [place[name] for name in table["task_id"]]
    steps[rows] = table["n_ref"]
    return pd.Series(world.success_in(steps)[rows], index=table.index)
