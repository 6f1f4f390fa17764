"""A bundle's trajectories before its judges again, its tables made again, and all of it compared.

DEST/results/ is made again from the evidence; DEST/bundled/ holds what the bundle says of it. Judging, joining and
tables are the functions of the stage scripts. No model is asked: judges go by the bundle's replies.
"""

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from webassay.config.experiment import CONFIG
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.digest import code_provenance
from webassay.core.files import write_text
from webassay.core.task import Task, read_tasks
from webassay.errors import BundleError, WebassayError
from webassay.judges.lifecycle import Judgement, Sidecar, read_sidecar
from webassay.judges.verify.shard import judge_tasks
from webassay.report.crate.contents import LOCK, PROVENANCE, asked_for
from webassay.report.crate.differing import between, of_scores
from webassay.report.crate.files import differences, opened, take
from webassay.report.crate.shared_plan import PROMPTS, SharedPlan, changed_code, foreign, read_plan
from webassay.report.site.build import write_report
from webassay.report.tables import scores_csv, write_run_scores

BUNDLED = Path("bundled")
NEEDED = {
    "webassay.judges.verified:Verified": {"har"},
    "webassay.judges.infinity:Infinity": {"har"},
    "webassay.judges.webarena:WebArena": set[str](),
}
"""What of the evidence that can be left out a judge looks at; any other judge may look at all of it."""


@dataclass(frozen=True)
class Reproduced:
    tables: int = 0
    """Tables and files of scores that were compared."""
    judged: int = 0
    taken: tuple[str, ...] = ()
    """For each run and judge that was not asked again: which, how many scores, and why."""
    replies: int = 0
    problems: tuple[str, ...] = ()
    """What differs, where and why; empty when all is byte-equal."""
    notes: tuple[str, ...] = ()
    """Figures that were drawn otherwise."""


@dataclass(frozen=True)
class _Round:
    """A run before a judge, judged again or not."""

    judged: int
    taken: str
    replies: int
    problems: tuple[str, ...]


def reproduce(bundle: Path, dest: Path) -> Reproduced:
    """Nothing is kept of a bundle whose files are not what its manifest says."""
    with opened(bundle, dest) as root:
        if changed := differences(root):
            return Reproduced(problems=tuple(changed))
        shared = read_plan(root)
        _arrange(root, dest, shared.experiment, keep=root == bundle)
    try:
        with contextlib.chdir(dest):
            if others := list(changed_code(shared)):
                raise BundleError(f"{'; '.join(others)}: judge it again with what judged it, {_versions(shared)}")
            return _remade(shared)
    except WebassayError:
        shutil.rmtree(dest)
        raise


def _arrange(root: Path, dest: Path, plan: ExperimentPlan, keep: bool) -> None:
    """What judges go by into its place, all else beside it."""
    scores = {PurePosixPath(path) for run in plan.runs for path in _scores(run)}
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        name = PurePosixPath(path.relative_to(root))
        is_made = name in scores or name.is_relative_to(plan.folder.as_posix()) or _is_verdict(name)
        is_evidence = name.parts[0] in ("results", PROMPTS) and not is_made
        take(path, dest / name if is_evidence else dest / BUNDLED / name, keep)


def _is_verdict(name: PurePosixPath) -> bool:
    return name.parent.name == "scores" and "traj" in name.parts


def _scores(run: RunPlan) -> tuple[Path, Path]:
    return run.scores, run.scores.with_name("metrics.json")


def _remade(shared: SharedPlan) -> Reproduced:
    plan = shared.experiment
    given = asked_for(BUNDLED / plan.folder)
    take(BUNDLED / plan.folder / PROVENANCE, plan.folder / PROVENANCE, keep=True)
    rounds = [_again(run, frozenset(shared.left_out)) for run in plan.runs]
    write_report(plan, given)
    compared = [*(path for run in plan.runs for path in _scores(run)), *_tables(plan)]
    problems = [said for each in rounds for said in each.problems]
    tables = [said for path in compared if (said := between(BUNDLED / path, path))]
    if tables and not problems:
        problems = [f"no score differs, so other code or packages made them, or another hand: {_surroundings(shared)}"]
    return Reproduced(
        len(compared),
        sum(each.judged for each in rounds),
        tuple(each.taken for each in rounds if each.taken),
        sum(each.replies for each in rounds),
        (*problems, *tables),  # the cause before what follows from it
        tuple(said for path in _figures(plan) if (said := between(BUNDLED / path, path))),
    )


def _tables(plan: ExperimentPlan) -> Iterator[Path]:
    """All that the bundle has, and all that were made."""
    found = {path for root in (BUNDLED / plan.folder, plan.folder) for path in root.glob("tables/*")}
    names = {path.relative_to(BUNDLED) if path.is_relative_to(BUNDLED) else path for path in found}
    yield from (plan.folder / "scores.csv", *sorted(names), plan.folder / "report.tex")


def _figures(plan: ExperimentPlan) -> Iterator[Path]:
    yield from (plan.folder / "figures" / f"{name}.{form}" for name in plan.figures for form in ("pdf", "png"))


def _again(run: RunPlan, left_out: frozenset[str]) -> _Round:
    tasks = read_tasks(run.folder / "tasks.jsonl")
    before = {task.task_id: _bundled(run, task) for task in tasks}
    reason = _obstacle(run, left_out)
    asked = [] if reason else [task for task in tasks if not _was_not_kept(run, before[task.task_id])]
    rows = {task.task_id: _taken_over(run, task, before[task.task_id]) for task in tasks if task not in asked}
    if asked:
        rows |= {row.task_id: row for row in judge_tasks(run, asked, redo=True)}
    shard = run.folder / run.eval_hash / "0-of-1.csv"
    write_text(shard, scores_csv(run, [rows[task.task_id] for task in tasks]))
    write_run_scores([shard], shard.parent)
    problems = [said for task in asked for said in _compared(run, task, before[task.task_id], rows[task.task_id])]
    why = reason or "its replies were not kept (llm.mode=live)"
    told = f"{run.run}, {run.eval_hash}: {len(tasks) - len(asked)} scores taken over: {why}"
    replies = len({key for task in asked for key in before[task.task_id].replies})
    return _Round(len(asked), told if len(asked) < len(tasks) else "", replies, tuple(problems))


def _obstacle(run: RunPlan, left_out: frozenset[str]) -> str:
    """Why a judge cannot be asked again about any trajectory of a run; empty where it can."""
    if reason := foreign(run):
        return reason
    lacking = left_out & NEEDED.get(run.config["judge"]["kind"], {"har", "screenshots"})
    return f"the bundle has no {' and no '.join(sorted(lacking))}" if lacking else ""


def _was_not_kept(run: RunPlan, sidecar: Sidecar) -> bool:
    return "llm" in run.config["judge"] and bool(sidecar.usage) and not sidecar.replies


def _bundled(run: RunPlan, task: Task) -> Sidecar:
    scores = BUNDLED / run.folder / "traj" / task.task_id / "scores"
    sidecar = read_sidecar(scores, run.eval_hash)
    if sidecar is None:
        raise BundleError(f"{scores.relative_to(BUNDLED)}: no score by {run.eval_hash}, or a broken one")
    return sidecar


def _taken_over(run: RunPlan, task: Task, sidecar: Sidecar) -> Judgement:
    """With its files, which tables are made of too."""
    scores = run.folder / "traj" / task.task_id / "scores"
    for path in (BUNDLED / scores).glob(f"{run.eval_hash}.*"):
        take(path, scores / path.name, keep=True)
    return sidecar.judgement


def _compared(run: RunPlan, task: Task, before: Sidecar, row: Judgement) -> Iterator[str]:
    folder = run.folder / "traj" / task.task_id
    after = read_sidecar(folder / "scores", run.eval_hash)
    who = f"{folder}, {run.eval_hash}"
    if after is None:
        yield f"{who}: not judged: {row.reason}"
    else:
        yield from (f"{who}: {said}" for said in of_scores(before, after))


def _surroundings(shared: SharedPlan) -> str:
    here = CONFIG.parent / LOCK
    same = here.is_file() and (BUNDLED / LOCK).is_file() and here.read_bytes() == (BUNDLED / LOCK).read_bytes()
    packages = f"{LOCK} is {'the same' if same else 'another'} here"
    return f"they were made by {_versions(shared)}, this is {code_provenance()}; {packages}"


def _versions(shared: SharedPlan) -> str:
    return f"webassay {' and '.join(shared.judged_by)}"
