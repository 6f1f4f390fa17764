"""A browser and the sites in the box, in which a test runs configured systems."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.built import miniweb
from webassay.benchmarks.selection import load_tasks
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_system
from webassay.core.task import Task
from webassay.llm.client import client_for
from webassay.systems.runner import Ending, Surroundings, run_attempt
from webassay.systems.worker import Brief, surroundings


@dataclass(frozen=True)
class Stage:
    around: Surroundings
    tasks: list[Task]

    def run(self, overrides: str, task: Task, folder: Path) -> Ending:
        """One attempt by the system and the model that the overrides choose."""
        config = plan_experiment("single", overrides).runs[0].config
        system, model = build_system(config), client_for(config["model"])
        around = replace(self.around, system=system, settings=config["system"], model=model)
        return run_attempt(task, 0, folder, around)


@contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    plan = plan_experiment("single", "system=oracle").runs[0]
    with surroundings(Brief(str(folder), str(miniweb()), plan.config)) as around:
        yield Stage(around, load_tasks(plan.config, miniweb()))
