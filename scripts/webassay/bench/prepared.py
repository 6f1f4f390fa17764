"""Many runs whose every task is done: real trajectory folders, written without a browser."""

import shutil
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec

from webassay.bench.workflow import Workplace
from webassay.config.paths import RESULTS, RunPlan
from webassay.core.files import write_json, write_jsonl
from webassay.core.task import Task
from webassay.core.trajectory import Attempt, EventLog, FinalAnswer, write_end
from webassay.systems.ledger import Ledger
from webassay.systems.naive import Constant


def prepare(folder: Path, some: Sequence[Task], tasks: int, runs: int) -> Workplace:
    """Runs of `tasks` tasks each, repeating the given ones, as `naive_yes` would have left them."""
    many = [
        msgspec.structs.replace(task, task_id=f"{task.task_id}.{n}")
        for n, task in enumerate(islice(cycle(some), tasks))
    ]
    write_jsonl(folder / "tasks.jsonl", many)
    chosen = "system=naive_yes benchmark=file benchmark.name=bench benchmark.path=tasks.jsonl"
    place = Workplace(folder, f"{chosen} run_id=range(0,{runs})")
    first, *others = place.plan().runs
    for task in many:
        write_trajectory(task, Ledger(folder / first.folder).home(task), first)
    for run in others:
        shutil.copytree(folder / first.folder / "traj", folder / run.folder / "traj")
    return place


def write_trajectory(task: Task, folder: Path, run: RunPlan) -> None:
    """An agent that answered at once: one step, no requests, a site left as it was."""
    answer = Constant("yes").solve(task, None)  # type: ignore[arg-type]
    rows = {check["probe"]: check["before"] for check in task.eval if check["evaluator"] == "StateEvaluator"}
    folder.mkdir(parents=True)
    write_json(folder / "task_data.json", task)
    log = EventLog(folder)
    log.write(message="terminate(  )", url="about:blank", action="terminate", arguments={"answer": answer})
    log.close()
    write_json(folder / "network.har", {"log": {"entries": []}})
    write_json(folder / "state.json", {"before": rows, "after": rows, "changes": []})
    write_json(folder / "agent_response.json", msgspec.json.decode(answer))
    record = Attempt(task.task_id, task.execution_digest, 0, "answered", environments=_environments(task, run))
    now = time.time()
    write_end(folder, FinalAnswer(answer), record, now, now)


def forget_results(place: Workplace) -> None:
    """Leave the datasets and the trajectories, and move away all that follows from them.

    Not deleted: ext4 avoids the inodes of files deleted a moment ago, and its search for others would be measured.
    """
    found = [place.folder / RESULTS / "experiments", place.folder / RESULTS / ".cache"]
    for run in place.plan().runs:
        folder = place.folder / run.folder
        found += [*folder.glob("traj/*/scores"), *(path for path in folder.iterdir() if path.name != "traj")]
    aside = Path(tempfile.mkdtemp(prefix="forgotten-", dir=place.folder))
    for number, path in enumerate(path for path in found if path.exists()):
        path.rename(aside / str(number))


def _environments(task: Task, run: RunPlan) -> dict[str, dict[str, Any]]:
    sites = run.config["environment"]["sites"]
    kept = ("login_path", "session_cookie")
    return {
        name: {"urls": [sites[name]["url"]], "active_url_idx": 0} | {k: sites[name][k] for k in kept}
        for name in task.sites
    }
