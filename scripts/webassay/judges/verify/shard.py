"""All trajectories of a shard before one judge."""

from collections.abc import Sequence
from pathlib import Path

from webassay.config.kinds import build_judge
from webassay.config.paths import RunPlan
from webassay.core.files import write_text
from webassay.core.task import Task
from webassay.errors import WebassayError
from webassay.judges.lifecycle import JUDGE_ERROR, Case, Court, Judgement
from webassay.judges.verify.crowd import judge_all


def verify_shard(plan: RunPlan, tasks: Sequence[Task], log: Path) -> list[Judgement]:
    """Judge all, then fail if some had no verdict: the next run judges only those again."""
    judgements = judge_tasks(plan, tasks)
    if problems := [f"{row.task_id}: {row.reason}" for row in judgements if needs_attention(row)]:
        write_text(log, "\n".join(problems) + "\n")
        raise WebassayError(
            f"{len(problems)} of {len(tasks)} trajectories could not be judged; "
            f"first: {problems[0]}; all are listed in {log}"
        )
    return judgements


def judge_tasks(plan: RunPlan, tasks: Sequence[Task], *, redo: bool = False) -> list[Judgement]:
    """In the order of the tasks."""
    court = Court(build_judge(plan.config), plan.eval_hash, plan.identity["judge"], redo)
    folders = ((task, plan.folder / "traj" / task.task_id) for task in tasks)
    cases = [Case(task, folder, folder / "scores") for task, folder in folders]
    found = {case.task.task_id: row for case, row, _, _ in judge_all(cases, court, plan.config["execution"]["judging"])}
    return [found[task.task_id] for task in tasks]


def needs_attention(row: Judgement) -> bool:
    """Judged by nobody although there is something to judge; a verdict that none can be reached is one."""
    return row.execution == "unreadable" or row.reason.startswith(JUDGE_ERROR)
