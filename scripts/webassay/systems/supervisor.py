"""A shard's tasks, spread over worker processes; one that dies or hangs is replaced, and nothing is lost with it."""

import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from webassay.config.kinds import build_system
from webassay.config.paths import RunPlan
from webassay.core.files import write_json
from webassay.core.learned import learn_types
from webassay.core.processes import child_environment, die_with_parent
from webassay.core.task import Task, read_tasks
from webassay.core.trajectory import Attempt, FinalAnswer, write_end
from webassay.errors import ConfigError, EnvironmentFault
from webassay.sites.site import Sites
from webassay.systems import opening
from webassay.systems.budget import Budget
from webassay.systems.imported import Imported
from webassay.systems.ledger import Ledger
from webassay.systems.model_calls import counted
from webassay.systems.progress import Progress
from webassay.systems.questions import EXCUSED_SECONDS
from webassay.systems.turns import turn
from webassay.systems.worker import Brief, Order, Report

EXTERNAL = "webassay.systems.external:External"
LOST = "the worker process died or hung"
HANG_SECONDS = 120.0
"""Grace beyond a task's own wall clock before a silent worker is taken for hung."""


class Worker:
    """The supervisor's end of one worker process; made and used by one thread, with which the process dies."""

    def __init__(self, brief: Brief, log: Path) -> None:
        with log.open("ab") as stream:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "webassay.systems.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                preexec_fn=die_with_parent,
                start_new_session=True,  # Ctrl-C is for the supervisor: a browser it stopped would look like a fault
                env=child_environment(),
            )
        patience = HANG_SECONDS + brief.config["environment"]["verifier_timeout"]
        patience += 0 if brief.config["model"]["name"] == "none" else EXCUSED_SECONDS
        self._limit = brief.config["system"]["max_seconds"] + patience
        started = self._ask(brief)
        if started is None:
            raise EnvironmentFault(f"a worker did not start; see {log}")

    def attempt(self, order: Order) -> Report | None:
        """None when the process died or hung."""
        return self._ask(order)

    def stop(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ask(self, message: Brief | Order) -> Report | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        watchdog = threading.Timer(self._limit, self._process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            self._process.stdin.write(msgspec.json.encode(message) + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            watchdog.cancel()
        if not line:
            self._process.kill()
            self._process.wait()
            return None
        report = msgspec.json.decode(line, type=Report)
        if report.fatal:
            raise EnvironmentFault(report.fatal)
        return report


@dataclass(frozen=True)
class Crew:
    """A run's workers for one shard and stage: what they work with, where they write, who is told."""

    brief: Brief
    progress: Progress
    log: Path
    budget: Budget

    @classmethod
    @contextmanager
    def of(cls, plan: RunPlan, stage: str, shard: str, log: Path) -> "Iterator[Crew]":
        execution, data = plan.config["execution"], plan.environment_data or plan.benchmark_data
        if plan.config["environment"]["port"] and execution["workers"] > 1:
            raise ConfigError(
                "environment.port is fixed, but each worker needs a port: use port=0 or execution.workers=1"
            )
        if "path" not in plan.config["system"]:  # an imported run needs no browser
            own = plan.config["system"]["kind"] == EXTERNAL
            opening.check(plan.config["browser"], plan.config["environment"], needs_own=own)
        log.parent.mkdir(parents=True, exist_ok=True)
        label = f"{stage} {plan.config['system']['name']}/{plan.config['benchmark']['name']} {shard}"
        ledger, path = Ledger(plan.folder), plan.folder / "progress" / f"{stage}-{shard}.json"
        with ledger.lock(f".shard-{shard}"), Progress(path, label, execution["progress_seconds"]) as progress:
            weights = str(plan.model_data.folder) if plan.model_data else None
            brief = Brief(str(plan.folder), str(data.folder), plan.config, weights)
            yield cls(brief, progress, log, Budget.of(plan.config, plan.folder))

    @property
    def ledger(self) -> Ledger:
        return Ledger(Path(self.brief.run))

    @cached_property
    def imported(self) -> Imported | None:
        """The run as it was made elsewhere, where there is nothing left to carry out."""
        system = build_system(self.brief.config)
        return system if isinstance(system, Imported) else None


def execute_shard(crew: Crew, tasks: Sequence[Task]) -> dict[str, Any]:
    """A first attempt at each task that has none; returns the shard's manifest."""
    _require_ways(crew.brief, tasks)
    orders = [Order(task, 0) for task in _in_order(tasks, crew.brief) if crew.ledger.attempt(task) is None]
    _work(crew, orders, recycle=False)
    return manifest(crew.ledger, tasks)


def _in_order(tasks: Sequence[Task], brief: Brief) -> list[Task]:
    """No task's verdict may depend on what came before it, which another order can show."""
    seed = brief.config["execution"]["shuffle"]
    return list(tasks) if seed is None else random.Random(f"{seed}/{brief.run}").sample(tasks, len(tasks))


def retry_shard(crew: Crew, tasks: Sequence[Task]) -> dict[str, Any]:
    """Further attempts at aborted tasks, each in a fresh browser and a fresh site, up to the configured number."""
    most = 0 if crew.imported else crew.brief.config["execution"]["max_error_task_retries"]
    while orders := [
        Order(task, found.attempt + 1)
        for task in tasks
        if (found := crew.ledger.attempt(task)) and found.outcome == "aborted" and found.attempt < most
    ]:
        _work(crew, orders, recycle=True)
    return manifest(crew.ledger, tasks)


def manifest(ledger: Ledger, tasks: Sequence[Task]) -> dict[str, Any]:
    """What stands on disk now, without times, so that the same state gives the same bytes."""
    found = {task.task_id: ledger.attempt(task) for task in tasks}
    return {
        task_id: {"task_digest": attempt.task_digest, "outcome": attempt.outcome, "attempt": attempt.attempt}
        for task_id, attempt in sorted(found.items())
        if attempt is not None
    }


def _work(crew: Crew, orders: list[Order], *, recycle: bool) -> None:
    """Threads take orders from one queue; the first error stops them all after the attempts under way."""
    if crew.imported:
        _take(crew, crew.imported, orders)
        return
    waiting: queue.SimpleQueue[Order] = queue.SimpleQueue()
    for order in orders:
        waiting.put(order)
    _require_sites(crew.brief, orders)
    crew.progress.expect(len(orders))
    stop, errors = threading.Event(), []

    def thread() -> None:
        try:
            _drain(crew, waiting, stop, recycle)
        except Exception as error:
            errors.append(error)
            stop.set()

    count = min(crew.brief.config["execution"]["workers"], len(orders))
    learn_types()
    threads = [threading.Thread(target=thread, daemon=True) for _ in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if errors:
        raise errors[0]


def _take(crew: Crew, imported: Imported, orders: list[Order]) -> None:
    crew.progress.expect(len(orders))
    for order in orders:
        outcome = imported.take(order.task, crew.ledger, crew.brief.config["environment"])
        crew.progress.end(order.task.task_id, outcome)


def _require_ways(brief: Brief, tasks: Sequence[Task]) -> None:
    """A system that does only what it knows is refused where it knows nothing: its zeros would say nothing of it.

    The tasks are a shard's; only where it knows none of them is the whole run looked at.
    """
    knows = getattr(build_system(brief.config), "knows", None)
    whole = Path(brief.run) / "tasks.jsonl"
    if knows and tasks and not any(map(knows, tasks)) and not (whole.is_file() and any(map(knows, read_tasks(whole)))):
        system, benchmark = brief.config["system"]["name"], brief.config["benchmark"]["name"]
        raise ConfigError(
            f"system={system}: it has a way for no task of benchmark={benchmark}, only for those of miniweb; choose an "
            "agent, such as system=websurfer, text_agent, computer_use or external, or a baseline, such as naive_na"
        )


def _require_sites(brief: Brief, orders: list[Order]) -> None:
    """Sites that run elsewhere are looked at before the first agent goes there; those of the tasks at hand."""
    environment = brief.config["environment"]
    names = list(dict.fromkeys(name for order in orders for name in order.task.sites))
    if environment["command"] or not names:
        return
    sites = Sites(environment, Path(brief.data), Path(brief.data))
    if trouble := sites.trouble(names):
        raise EnvironmentFault(f"{trouble}; it runs elsewhere: start it there, or see environment.sites.<name>.url")


def _drain(crew: Crew, waiting: "queue.SimpleQueue[Order]", stop: threading.Event, recycle: bool) -> None:
    worker: Worker | None = None
    try:
        while not stop.is_set():
            try:
                order = waiting.get_nowait()
            except queue.Empty:
                return
            crew.budget.require()
            worker = worker or Worker(crew.brief, crew.log)
            with turn(crew.brief.config["environment"], order.task):
                crew.progress.begin(order.task.task_id)
                report = worker.attempt(order)
            if report is None:
                _record_lost_worker(crew.ledger, order, crew.brief)
            crew.progress.end(order.task.task_id, report.outcome if report else "aborted")
            if recycle or report is None or report.outcome == "aborted":
                worker.stop()
                worker = None
    finally:
        if worker is not None:
            worker.stop()


def _record_lost_worker(ledger: Ledger, order: Order, brief: Brief) -> None:
    """The process that should have recorded the attempt is gone, so the supervisor does, around what it left."""
    task, folder = order.task, ledger.workplace(order.task)
    with ledger.lock(task.task_id):
        if (folder / "times.json").is_file():
            ledger.place(task)
        if ledger.newest(task) == order.attempt:
            return  # it died after its attempt was whole
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "web_surfer.log").touch()
        write_json(folder / "task_data.json", task)
        record = Attempt(task.task_id, task.execution_digest, order.attempt, "aborted", LOST)
        used = msgspec.to_builtins(counted(folder, brief.config["model"].get("prices")))
        now = time.time()
        write_end(folder, FinalAnswer(is_aborted=True, token_usage=used), record, now, now)
        ledger.place(task)
