"""The outcomes that hardness is learnt from: a file of the user's, or the runs of an experiment."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from webassay.benchmarks.outcomes import read_outcomes
from webassay.config.naming import differing_settings
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.digest import file_digest
from webassay.core.task import Task, read_tasks
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError
from webassay.report.tables import join_scores
from webassay.stats.attempts import Pool, pool_attempts, read_categories
from webassay.stats.coverage import judged
from webassay.stats.subset import Settings


def pooled(experiment: ExperimentPlan, settings: Settings) -> Pool:
    analysis = experiment.runs[0].config["analysis"]
    if any(plan.config["analysis"] != analysis for plan in experiment.runs):
        raise ConfigError("an experiment has one hard subset, so analysis.* must not vary among its runs")
    given = Path(analysis["outcomes"]) if analysis["outcomes"] else None
    tasks = _tasks(experiment)
    pool = pool_of(read_outcomes(given, tasks) if given else _own(experiment, settings.judge), tasks, settings)
    source = f"outcomes, sha256 {file_digest(given)}" if given else f"runs of the experiment {experiment.folder.name}"
    return replace(pool, source=source)


def pool_of(attempts: pd.DataFrame, tasks: Sequence[Task], settings: Settings) -> Pool:
    """`attempts` as statistics take them; what nobody judged teaches nothing, whatever it counts as elsewhere."""
    outcomes = attempts.assign(success=attempts["score"].where(judged(attempts)), num_steps=attempts["steps"])
    categories = read_categories(Path(settings.categories)) if settings.categories else {}
    return pool_attempts(outcomes, tasks, categories, settings.budget, settings.excluded_sites)


def _tasks(experiment: ExperimentPlan) -> list[Task]:
    """Of one benchmark; two runs may have taken different tasks of it."""
    parts = {plan.columns["benchmark"] for plan in experiment.runs}
    if len(parts) > 1:
        raise ConfigError(
            f"a hard subset is of one benchmark, and this experiment is about {', '.join(sorted(parts))}; "
            "choose: benchmark=…"
        )
    known: dict[str, Task] = {}
    for plan in experiment.by_run.values():
        for task in read_tasks(plan.folder / "tasks.jsonl"):
            known.setdefault(task.task_id, task)
    return list(known.values())


def _own(experiment: ExperimentPlan, judge: str) -> pd.DataFrame:
    names = experiment.judges
    if judge and judge not in names:
        raise ConfigError(f"analysis.subset.judge={judge}: the experiment has {', '.join(names)}")
    if len(names) > 1 and not judge:
        raise ConfigError(
            f"the runs are judged by {' and by '.join(names)}: say whose verdicts count: analysis.subset.judge=…"
        )
    wanted = judge or names[0]
    plans = [plan for plan in experiment.runs if experiment.judge_names[plan.eval_hash] == wanted]
    return pd.concat([pd.DataFrame(_attempts(plan, _agent(plan, plans))) for plan in plans], ignore_index=True)


def _agent(plan: RunPlan, plans: list[RunPlan]) -> str:
    """System, model and what tells it from others of that name; repeats (run ids) are of one agent."""
    columns = plan.columns
    model = [] if columns["model"] == "none" else [columns["model"]]
    return " ".join(filter(None, [columns["system"], *model, differing_settings(plan, plans)]))


def _attempts(plan: RunPlan, agent: str) -> Iterator[dict[str, object]]:
    """Of what is judged; how many steps it took stands in its trajectory."""
    scores = join_scores([plan.scores])
    for task_id, score in zip(scores["task_id"], scores["score"], strict=True):
        known = not pd.isna(score)
        steps = len(Trajectory.from_folder(plan.folder / "traj" / task_id).steps) if known else None
        yield {
            "agent": agent,
            "run_id": plan.columns["run_id"],
            "task_id": task_id,
            "score": score,
            "steps": float("nan") if steps is None else float(steps),
            "budget": float(plan.config["system"]["max_rounds"]),
        }
