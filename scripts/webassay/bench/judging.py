"""The judge `verified` beside webarena-verified as released: the same 812 tasks, the same recordings of 800 KB."""

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webassay.bench import judge_process
from webassay.bench.logs import Logs, write_logs
from webassay.bench.release import install_release
from webassay.bench.table import LeftOut, Row, compared
from webassay.bench.workflow import Invocation, invoke
from webassay.core.files import read_json, write_json
from webassay.core.task import Task
from webassay.errors import DatasetError, WebassayError
from webassay.judges.offline.plan import plan_scoring

API_GOAL = 1 / 15
DECODING_GOAL = 2.0
COMMAND_GOAL = 1 / 60
PROFILES = ("release", "paper")
UNEVALUATED = 1
"""The exit status of `webassay score` when some task has status error, as three of the release's have."""


@dataclass(frozen=True)
class Side:
    """What one process said of its pass over the tasks."""

    seconds: float
    """CPU, without imports and loading."""
    peak_mb: float
    verdicts: dict[str, Any]

    @property
    def ms_a_task(self) -> float:
        return 1000 * self.seconds / len(self.verdicts)


@dataclass(frozen=True)
class Pass:
    """All sides, one after the other."""

    sides: Mapping[str, Side]

    def pair(self, ours: str, reference: str) -> tuple[float, float]:
        return self.sides[ours].ms_a_task, self.sides[reference].ms_a_task


def judging_rows(folder: Path, limit: int | None, passes: int) -> Iterator[Row | LeftOut]:
    """With the release where it can be installed, and without it where not."""
    folder = folder.absolute()  # commands run in it
    try:
        logs = _logs(folder, limit)
    except DatasetError as error:
        yield LeftOut("judging", str(error))
        return
    try:
        release = install_release(folder / "release")
    except WebassayError as error:
        yield LeftOut("judging beside webarena-verified", str(error))
        release = None
    yield from rows_of(logs, release, passes)


def rows_of(logs: Logs, release: Path | None, passes: int) -> Iterator[Row]:
    """`release` is the Python of its environment."""
    done = [_pass(logs, release, number) for number in range(passes)]
    for one in done:
        check_judged(one.sides["paper"].verdicts)
    what = f"judging of {len(logs.tasks)} tasks with HARs of 800 KB"
    if release:
        yield from _rows_beside_release(what, done)
    for profile in PROFILES:
        pairs = [one.pair(profile, "decoding") for one in done]
        told = f"{what}, profile {profile} / decoding method, URL, status and type alone; CPU a task"
        yield compared(told, "ms", pairs, DECODING_GOAL)
    yield _scaling_row(what, logs, passes)
    if release:
        yield _command_row(what, logs, release)


def check_judged(verdicts: Mapping[str, Any]) -> None:
    """A judge that gives up is fast."""
    odd = [task for task, (_, status) in verdicts.items() if status == "error"]
    if odd:
        raise WebassayError(f"bench: no verdict on task {', '.join(odd[:5])}; the measurement is void")


def check_same(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    """Speed counts only if the verdicts are the release's: score and status of every task."""
    odd = [task for task in theirs if _plain(ours.get(task)) != _plain(theirs[task])]
    if odd or len(ours) != len(theirs):
        shown = "; ".join(f"task {task}: {ours.get(task)}, not {theirs[task]}" for task in odd[:5])
        raise WebassayError(
            f"bench: {len(odd)} of {len(theirs)} verdicts differ from webarena-verified's ({shown}); "
            "the measurement is void"
        )


def _plain(verdict: Any) -> tuple[float, str] | None:
    """An error's score is none for us and 0 for the release."""
    return None if verdict is None else (verdict[0] or 0.0, verdict[1])


def _rows_beside_release(what: str, done: Sequence[Pass]) -> Iterator[Row]:
    for one in done:
        check_same(one.sides["release"].verdicts, one.sides["webarena-verified"].verdicts)
    for profile in PROFILES:
        pairs = [one.pair(profile, "webarena-verified") for one in done]
        yield compared(f"{what}, profile {profile} / webarena-verified's API; CPU a task", "ms", pairs, API_GOAL)
    peaks = [(one.sides["release"].peak_mb, one.sides["webarena-verified"].peak_mb) for one in done]
    yield compared(f"{what}, profile release / webarena-verified's API; peak memory", "MB", peaks)


def _logs(folder: Path, limit: int | None) -> Logs:
    """The tasks and addresses that `webassay score` takes by default; fetched here, not into the user's results."""
    (folder / "judging").mkdir()
    with contextlib.chdir(folder):
        plan = plan_scoring(
            folder,
            benchmark="webarena_verified",
            profile=None,
            tasks=None,
            sites=(),
            config=None,
            dataset=None,
            out=folder / "judging",
            overrides=(),
        )
    return write_logs(folder / "judging", _spread(plan.tasks, limit), plan.facts)


def _spread(tasks: Sequence[Task], limit: int | None) -> Sequence[Task]:
    """From all over the benchmark, whose neighbours are alike."""
    return tasks if limit is None else tasks[:: max(1, len(tasks) // limit)][:limit]


def _pass(logs: Logs, release: Path | None, number: int) -> Pass:
    """Every other pass the other way round."""
    job = logs.folder.parent / "job.json"
    write_json(job, _job(logs))
    names = ["release", *(["webarena-verified"] if release else []), "paper", "decoding"]
    names = names if number % 2 == 0 else names[::-1]
    return Pass({name: _side(name, release if name == "webarena-verified" else None, job) for name in names})


def _side(name: str, release: Path | None, job: Path) -> Side:
    # -P: the folder of the program has modules with names that others have too
    python = [str(release), "-I"] if release else [sys.executable, "-P"]
    done = invoke([*python, judge_process.__file__, name, str(job)], job.parent)
    return Side(**json.loads(done.output.splitlines()[-1]))


def _job(logs: Logs) -> dict[str, Any]:
    """Warmed up with one task of each form of answer, since each needs libraries of its own."""
    first = {json.dumps(task.eval[0]["results_schema"]): task.task_id for task in reversed(logs.tasks)}
    return {
        "logs": str(logs.folder),
        "dataset": str(logs.dataset.parent),
        "config": str(logs.config),
        "environments": logs.environments,
        "warm_up": sorted(first.values()),
        "tasks": logs.ids,
    }


def _command_row(what: str, logs: Logs, release: Path) -> Row:
    """Once, since the release takes a minute; the whole of both processes, from start to end."""
    ours = _score(logs, jobs=1)
    command = [str(release), "-I", "-m", "webarena_verified", "eval-tasks", "--output-dir", str(logs.folder)]
    theirs = invoke([*command, "--config", str(logs.config)], logs.folder.parent)
    check_same(_written(logs, _out(logs, 1)), _written(logs, logs.folder))
    pair = (1000 * ours.cpu / len(logs.tasks), 1000 * theirs.cpu / len(logs.tasks))
    told = f"{what}, webassay score --profile release --jobs 1 / webarena-verified eval-tasks; CPU of all, a task"
    return compared(told, "ms", [pair], COMMAND_GOAL)


def _scaling_row(what: str, logs: Logs, passes: int) -> Row:
    pairs = [(_score(logs, jobs=2).wall, _score(logs, jobs=1).wall) for _ in range(passes)]
    return compared(f"{what}, webassay score --jobs 2 / --jobs 1; wall", "s", pairs)


def _score(logs: Logs, jobs: int) -> Invocation:
    """`webassay score`, all anew."""
    words = ["score", str(logs.folder), "--benchmark", "webarena_verified", "--profile", "release", "--redo"]
    words += ["--config", str(logs.config), "--dataset", str(logs.dataset), "--out", str(_out(logs, jobs))]
    words += ["--jobs", str(jobs)]
    return invoke([sys.executable, "-m", "webassay.cli", *words], logs.folder.parent, accepted=(0, UNEVALUATED))


def _out(logs: Logs, jobs: int) -> Path:
    return logs.folder.parent / f"scored-{jobs}"


def _written(logs: Logs, folder: Path) -> dict[str, Any]:
    """Score and status out of each task's eval_result.json, which both write."""
    found = {task: read_json(folder / task / "eval_result.json") for task in logs.ids}
    return {task: (result.get("score"), result["status"]) for task, result in found.items()}
