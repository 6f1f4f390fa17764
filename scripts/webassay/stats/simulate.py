"""Outcomes drawn from eq. 2 with known truth: what a fit must find again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from webassay.core.task import Task
from webassay.stats.hardness import probability
from webassay.stats.laplace import Floats

SITES = ("gitlab", "reddit", "shopping", "shopping_admin")
BUDGET = 30
TEMPLATE_SIZES = (0.13, 0.05, 0.05, 0.07, 0.65, 0.05)
"""How many templates have one task, two, and so on; about as in WebArena."""


@dataclass(frozen=True)
class World:
    """Tasks with the effects that outcomes are drawn from; none of them is shown to a fit."""

    tasks: tuple[Task, ...]
    categories: dict[str, str]
    eta: Floats
    """μ − β_t + ξ_t of each task."""
    ability: Floats
    """θ of each agent."""

    def success_in(self, steps: Floats) -> Floats:
        """Of an average agent, in so many steps at each task."""
        return probability(np.log1p(steps) + self.eta)


def synthetic_tasks(count: int, rng: np.random.Generator) -> tuple[list[Task], dict[str, str]]:
    """Templates of mostly five tasks and categories of about two templates, over four sites as in WebArena."""
    tasks: list[Task] = []
    categories = {}
    template = 0
    while len(tasks) < count:
        site = SITES[template % len(SITES)]
        size = int(rng.choice(len(TEMPLATE_SIZES), p=TEMPLATE_SIZES)) + 1
        for _ in range(min(size, count - len(tasks))):
            name = str(len(tasks))
            tasks.append(Task(name, "", (site,), str(template), ()))
            categories[name] = f"c{template // (2 * len(SITES))}"
        template += 1
    return tasks, categories


def draw_world(
    tasks: Sequence[Task],
    categories: dict[str, str],
    agents: int,
    rng: np.random.Generator,
    scales: tuple[float, float, float, float] = (0.8, 0.6, 0.5, 0.4),
    mean: float = -3.0,
) -> World:
    """`scales` are those of task, template, category and site."""
    sites = [task.sites[0] for task in tasks]
    keys = {
        "task": [task.task_id for task in tasks],
        "template": [f"{task.sites[0]}/{task.template}" for task in tasks],
        "category": [f"{task.sites[0]}/{categories.get(task.task_id, task.template)}" for task in tasks],
        "site": sites,
    }
    eta = np.full(len(tasks), mean)
    for scale, names in zip(scales, keys.values(), strict=True):
        codes, levels = pd.factorize(pd.Series(names))
        eta += scale * rng.standard_normal(len(levels))[codes]
    ability = rng.standard_normal(agents)
    return World(tuple(tasks), dict(categories), eta, ability - ability.mean())


def draw_outcomes(world: World, rng: np.random.Generator, missing: float = 0.013) -> pd.DataFrame:
    """One attempt of each agent at each task, but for a few; steps are drawn first, as eq. 2 conditions on them."""
    rows = []
    typical = 6 * np.exp(0.4 * rng.standard_normal(len(world.tasks)))
    for number, ability in enumerate(world.ability):
        steps = np.clip(np.round(typical * np.exp(0.6 * rng.standard_normal(len(typical)))), 1, BUDGET)
        won = rng.random(len(typical)) < probability(np.log1p(steps) + world.eta + ability)
        for task, n, success in zip(world.tasks, steps, won, strict=True):
            rows.append((f"agent{number}", task.task_id, float(success), float(n), np.nan))
    table = pd.DataFrame(rows, columns=["agent", "task_id", "success", "num_steps", "budget"])
    return table[rng.random(len(table)) >= missing].reset_index(drop=True)
