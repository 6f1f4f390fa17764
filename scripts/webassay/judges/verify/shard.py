"""All trajectories of a shard before one judge."""

from collections.abc import Sequence
from pathlib import Path

from webassay.config.kinds import build_judge
from webassay.config.paths import RunPlan
from webassay.core.files import write_text
from webassay.core.task import Task
from webassay.errors import WebassayError
from webassay.judges.health.trials import mixed
from webassay.judges.lifecycle import Case, Court, Judgement, needs_attention
from webassay.judges.verify.crowd import judge_all


def verify_shard(plan: RunPlan, shard: str, tasks: Sequence[Task], log: Path) -> list[Judgement]:
    """Judge all, then fail if some had no verdict: the next run judges only those again."""
    cases = mixed(_cases(plan, tasks), plan, shard)
    found = _judged(plan, cases)
    if problems := [f"{row.task_id}: {row.reason}" for row in found.values() if needs_attention(row)]:
        write_text(log, "\n".join(problems) + "\n")
        raise WebassayError(
            f"{len(problems)} of {len(cases)} trajectories could not be judged; "
            f"first: {problems[0]}; all are listed in {log}"
        )
    return [found[case.folder] for case in _cases(plan, tasks)]


def judge_tasks(plan: RunPlan, tasks: Sequence[Task], *, redo: bool = False) -> list[Judgement]:
    """In the order of the tasks, and nothing but these."""
    cases = _cases(plan, tasks)
    found = _judged(plan, cases, redo)
    return [found[case.folder] for case in cases]


def _cases(plan: RunPlan, tasks: Sequence[Task]) -> list[Case]:
    folders = ((task, plan.folder / "traj" / task.task_id) for task in tasks)
    return [Case(task, folder, folder / "scores") for task, folder in folders]


def _judged(plan: RunPlan, cases: Sequence[Case], redo: bool = False) -> dict[Path, Judgement]:
    court = Court(build_judge(plan.config), plan.eval_hash, plan.identity["judge"], redo)
    return {case.folder: row for case, row, _, _ in judge_all(cases, court, plan.config["execution"]["judging"])}
