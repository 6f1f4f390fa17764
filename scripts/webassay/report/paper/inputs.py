"""All that the paper's tables are made of, read once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from webassay.benchmarks import webarena, webarena_verified, webarena_verified_hard
from webassay.benchmarks.outcomes import COLUMNS, read_outcomes
from webassay.config.naming import judge_names
from webassay.config.paths import PaperPlan, RunPlan
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.errors import DatasetError, TrajectoryError
from webassay.report.comparison import named_systems
from webassay.report.tables import join_scores
from webassay.stats.coverage import Ungraded, settle
from webassay.stats.subset import Settings, settings_of

KNOWLEDGE_ONLY = "webassay.systems.knowledge_only:KnowledgeOnly"
ORIGINAL, VERIFIED = "webarena", "verified"
"""Names of the judges; published outcomes are under the original harness."""


@dataclass(frozen=True)
class Inputs:
    original: list[Task]
    verified: list[Task]
    hard: frozenset[str]
    agents: Mapping[str, Mapping[str, pd.DataFrame]]
    """Judge -> agent -> attempts, with `steps` where they are known."""
    confidence: float
    anchor: str | None
    settings: Settings
    """Of the hard subset."""
    backend: str
    from_memory: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Agent that asks a model and opens no page -> tasks that it passed in any run, under the original harness."""

    @property
    def task_ids(self) -> list[str]:
        return [task.task_id for task in self.original]

    def on_hard(self, rows: pd.DataFrame) -> pd.DataFrame:
        return rows[rows["task_id"].isin(self.hard)]


def read_inputs(plan: PaperPlan) -> Inputs:
    folder = plan.tasks.folder
    original = webarena.load(folder)
    ungraded: Ungraded = plan.analysis["ungraded"]
    agents = {judge: dict(rows) for judge, rows in own_agents(plan, ungraded).items()}
    if plan.outcomes:
        published = published_agents(plan.outcomes, original, ungraded)
        agents[ORIGINAL] = _together(plan.outcomes, published, agents.get(ORIGINAL, {}))
    return Inputs(
        original=original,
        verified=webarena_verified.load(folder),
        hard=frozenset(map(str, webarena_verified_hard.read_subset(folder / webarena_verified_hard.MEMBER).task_ids)),
        agents=agents,
        confidence=plan.analysis["confidence"],
        anchor=plan.analysis["anchor"],
        settings=settings_of(plan.analysis["subset"]),
        backend=plan.analysis["backend"],
        from_memory=_from_memory(plan, agents.get(ORIGINAL, {})),
    )


def published_agents(path: Path, tasks: list[Task], ungraded: Ungraded) -> dict[str, pd.DataFrame]:
    """A row without a success is an attempt that its owner did not judge; a task without a row was not attempted."""
    attempts = settle(read_outcomes(path, tasks), ungraded)
    return {str(agent): rows for agent, rows in attempts.groupby("agent", sort=False)}


def own_agents(plan: PaperPlan, ungraded: Ungraded) -> dict[str, dict[str, pd.DataFrame]]:
    """An experiment's runs on WebArena's tasks."""
    found: dict[str, dict[str, pd.DataFrame]] = {}
    for eval_hash, judge in judge_names(plan.runs).items():
        runs = [each for each in plan.runs if each.eval_hash == eval_hash]
        found[judge] = {
            name: settle(pd.concat([_attempts(name, each) for each in plans]), ungraded)
            for name, plans in named_systems(runs).items()
        }
    return found


def _from_memory(plan: PaperPlan, agents: Mapping[str, pd.DataFrame]) -> dict[str, frozenset[str]]:
    names = judge_names(plan.runs)
    systems = named_systems([each for each in plan.runs if names[each.eval_hash] == ORIGINAL])
    asking = [name for name, plans in systems.items() if plans[0].config["system"]["kind"] == KNOWLEDGE_ONLY]
    return {name: frozenset(agents[name].query("score >= 1")["task_id"]) for name in asking}


def _attempts(name: str, plan: RunPlan) -> pd.DataFrame:
    scores = join_scores([plan.scores])
    steps = pd.Series([_steps(plan, task) for task in scores["task_id"]], dtype=float)
    budget = float(plan.config["system"]["max_rounds"])
    return scores.assign(agent=name, run_id=scores["run"], steps=steps, budget=budget)[COLUMNS]


def _steps(plan: RunPlan, task_id: str) -> float | None:
    try:
        return float(len(Trajectory.from_folder(plan.folder / "traj" / task_id, strict=False).steps))
    except (TrajectoryError, OSError):
        return None  # nothing to count: what became of the attempt is in its row


def _together(
    path: Path, published: dict[str, pd.DataFrame], own: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    if both := sorted(published.keys() & own.keys()):
        raise DatasetError(f"{path}: agent {both[0]!r} has the name of a run of this experiment; rename it in the file")
    return published | dict(own)
