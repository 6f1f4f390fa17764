"""A page for each task of each run, made anew only where its evidence or its verdicts changed."""

import hashlib
import re
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.answer import Usage
from webassay.core.digest import digest, file_digest
from webassay.core.files import UNREADABLE
from webassay.core.task import Task, read_tasks
from webassay.core.trajectory import Trajectory, evidence_digest
from webassay.errors import TaskError, TrajectoryError
from webassay.judges.lifecycle import Sidecar, read_sidecar
from webassay.report.facts import Facts, JudgeFacts, total_cost
from webassay.report.site.bounds import bounded
from webassay.report.site.files import layout_digest, put, put_page, put_script
from webassay.report.site.page import missing_page, page_of

VERSION = 2
"""Raise it when pages look into evidence in another way."""
LEDGER = "facts.json"
NEIGHBOURS = "_tasks.js"
"""No task's id begins like that."""
NOT_BEGUN = "This task has not begun yet: the page refreshes when it ends. Or else its files were removed."
UNPLAIN = re.compile(r"[^A-Za-z0-9._-]+")
TROUBLE = (TrajectoryError, OSError, ValueError, RecursionError)
"""Of one trajectory: its page tells it, and all others are made."""
SIGNED = 100
"""Steps that the comparison of two runs looks at."""
Ledger = dict[str, tuple[str, Facts]]
"""By task: the key under which its page was made, and what is known of it."""


@dataclass(frozen=True)
class SiteRun:
    """A run in the site, under a name that people tell it from the others by."""

    plan: RunPlan
    label: str
    judges: dict[str, str]
    """eval_hash -> name."""

    @cached_property
    def slug(self) -> str:
        """Of its pages' folder, whatever the system is called; another order of runs changes no address."""
        plain = UNPLAIN.sub("_", self.plan.columns["system"])[:40].lstrip(".")
        return f"{plain}-{hashlib.sha256(self.plan.run.encode()).hexdigest()[:8]}"

    @cached_property
    def tasks(self) -> list[Task]:
        """None while the run has not begun, or when it has gone."""
        try:
            return read_tasks(self.plan.folder / "tasks.jsonl")
        except (TaskError, OSError):
            return []

    def page(self, site: Path, task_id: str) -> Path:
        return site / "t" / self.slug / f"{task_id}.html"


def runs_of(experiment: ExperimentPlan) -> list[SiteRun]:
    """In the experiment's order."""
    judged: dict[str, dict[str, str]] = {}
    for plan in experiment.runs:
        judged.setdefault(plan.run, {})[plan.eval_hash] = experiment.judge_names[plan.eval_hash]
    labels = run_labels(experiment)
    return [SiteRun(plan, labels[run], judged[run]) for run, plan in experiment.by_run.items()]


def run_labels(experiment: ExperimentPlan) -> dict[str, str]:
    """Only what tells runs apart; two that nothing does are numbered."""
    plans = experiment.by_run
    columns = ("model", "benchmark", "run_id")
    varied = [key for key in columns if len({plan.columns[key] for plan in plans.values()}) > 1]
    labels: dict[str, str] = {}
    for run, plan in plans.items():
        words = [plan.columns["system"], *(f"{_word(key)}{plan.columns[key]}" for key in varied)]
        label = " ".join(words)
        labels[run] = label if label not in labels.values() else f"{label} ({len(labels) + 1})"
    return labels


def _word(key: str) -> str:
    return "run " if key == "run_id" else ""


def write_pages(run: SiteRun, runs: list[SiteRun], site: Path) -> dict[str, Facts]:
    """What is known of each task, by its id."""
    folder = site / "t" / run.slug
    before, after = read_ledger(folder / LEDGER), {}
    for task, key, sidecars in _tasks(run):
        page = run.page(site, task.task_id)
        known = before.get(task.task_id)
        if known is None or known[0] != key or not page.with_suffix(".js").is_file() or not page.is_file():
            known = key, _write(run, task, sidecars, page)
        after[task.task_id] = known
    put(folder / LEDGER, msgspec.json.encode(after, order="sorted"))
    put_script(folder / NEIGHBOURS, "TASKS", _neighbours(run, runs))
    return {task_id: facts for task_id, (_, facts) in after.items()}


def read_ledger(path: Path) -> Ledger:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Ledger)
    except (OSError, *UNREADABLE):
        return {}


def _tasks(run: SiteRun) -> Iterator[tuple[Task, str, dict[str, Sidecar | None]]]:
    for task in run.tasks:
        folder = run.plan.folder / "traj" / task.task_id
        sidecars = {judge: read_sidecar(folder / "scores", judge) for judge in run.judges}
        yield task, _key(run, task, folder), sidecars


def _key(run: SiteRun, task: Task, folder: Path) -> str:
    """Of all that the page is made of."""
    files = [folder / "scores" / f"{judge}{end}" for judge in run.judges for end in (".meta.json", ".json")]
    try:
        evidence = evidence_digest(folder)
        scores = [file_digest(path) if path.is_file() else "" for path in files]
        attempts = sorted(path.parent.name for path in folder.glob("attempts/*/times.json"))
    except TROUBLE:
        return ""
    return digest([VERSION, layout_digest(), task.digest, evidence, scores, attempts, run.judges, run.label])


def _write(run: SiteRun, task: Task, sidecars: Mapping[str, Sidecar | None], page: Path) -> Facts:
    folder = run.plan.folder / "traj" / task.task_id
    try:
        trajectory = Trajectory.from_folder(folder, strict=False)
        data = page_of(task, trajectory, sidecars, run.judges, page)
        facts = facts_of(trajectory, sidecars)
    except TROUBLE as error:
        data, facts = missing_page(task, str(error) if folder.is_dir() else f"{NOT_BEGUN} ({folder})"), Facts()
    data["run"] = {"label": run.label, "path": run.plan.run, "slug": run.slug}
    put_page(
        page, "trajectory.html", title=f"{task.task_id} · {run.label}", data=f"{urllib.parse.quote(task.task_id)}.js"
    )
    put_script(page.with_suffix(".js"), "TRAJECTORY", bounded(data))
    return facts


def facts_of(trajectory: Trajectory, sidecars: Mapping[str, Sidecar | None]) -> Facts:
    signature = [
        hashlib.sha256(action.encode("utf-8", "replace")).hexdigest()[:4] for action in trajectory.actions[:SIGNED]
    ]
    return Facts(
        outcome=trajectory.outcome,
        steps=len(trajectory.steps),
        seconds=trajectory.times.duration if trajectory.times else None,
        retries=trajectory.attempt.attempt if trajectory.attempt else 0,
        signature="".join(signature),
        usage=trajectory.answer.usage,
        judges={key: _judge_facts(sidecar) for key, sidecar in sidecars.items() if sidecar is not None},
    )


def _judge_facts(sidecar: Sidecar) -> JudgeFacts:
    failed = next((one.name for one in sidecar.assertions if not one.passed), "")
    return JudgeFacts(sidecar.attribution or "", failed, _together(sidecar.usage))


def _together(usage: Mapping[str, Usage]) -> Usage | None:
    if not usage:
        return None
    names = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "num_calls")
    sums = {name: sum(getattr(each, name) for each in usage.values()) for name in names}
    cost = total_cost(list(usage.values()))
    return Usage(**sums, cost=msgspec.UNSET if cost is None else cost)


def _neighbours(run: SiteRun, runs: list[SiteRun]) -> dict[str, Any]:
    """Tasks before and after, and other runs on the same tasks."""
    same = [other for other in runs if other.plan.parts[3] == run.plan.parts[3]]
    return {
        "tasks": [task.task_id for task in run.tasks],
        "runs": [{"label": other.label, "slug": other.slug} for other in same if other.tasks],
    }
