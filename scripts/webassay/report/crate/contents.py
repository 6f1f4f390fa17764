"""What a bundle of an experiment holds, checked to be of one piece: nothing half-written, nothing that changed since.

Names are those under `results/`, so that a reader finds the way. Of each task there are its trajectory and the scores
of the experiment's own judges, but neither earlier attempts that were aborted nor scores that were superseded.
"""

import math
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import yaml

from webassay.config.experiment import CONFIG, plan_experiment
from webassay.config.paths import RESULTS, ExperimentPlan, RunPlan
from webassay.core.task import Task, read_tasks
from webassay.core.trajectory import PICTURES, TRACES, evidence_digest
from webassay.errors import BundleError, ConfigError
from webassay.judges.lifecycle import Sidecar, read_sidecar
from webassay.llm.store import Store
from webassay.report.crate.files import Source
from webassay.report.crate.shared_plan import PLAN, REPLIES, own_prompts, shareable
from webassay.report.tables import experiment_scores, join_scores, to_csv

EXPERIMENTS = RESULTS / "experiments"
PROVENANCE = "experiment.yaml"
APART = {"scores", "attempts"}
BODIES = "resources"
"""A folder of what requests and answers held, beside recordings of some tools."""
LOCK = "envs/requirements.lock"


@dataclass(frozen=True)
class Judged:
    """A task of a run before one judge."""

    plan: RunPlan
    task: Task
    sidecar: Sidecar

    @property
    def folder(self) -> Path:
        return self.plan.folder / "traj" / self.task.task_id


@dataclass(frozen=True)
class Finished:
    """An experiment that is whole."""

    plan: ExperimentPlan
    judged: tuple[Judged, ...]

    @property
    def judged_by(self) -> tuple[str, ...]:
        return tuple(sorted({each.sidecar.version for each in self.judged}))

    @cached_property
    def replies(self) -> dict[str, Path]:
        """Stored replies that a score rests on, by key."""
        found: dict[str, Path] = {}
        for each in self.judged:
            store = Store(Path(each.plan.config["llm"]["folder"]))
            found |= {key: store.path(key) for key in each.sidecar.replies}
        return found


def find_experiment(given: str | None) -> Path:
    """The newest, or the one that is named by its folder or that folder's name."""
    found = sorted((path.parent for path in EXPERIMENTS.glob("*/experiment.yaml")), key=lambda path: path.name)
    if not found:
        raise ConfigError(f"there is no experiment in {EXPERIMENTS}; `webassay run` makes one")
    if given is None:
        return max(found, key=lambda path: (path / "experiment.yaml").stat().st_mtime)
    chosen = [path for path in found if path.name == Path(given).name and _is_ours(path, given)]
    if not chosen:
        names = ", ".join(path.name for path in found)
        raise ConfigError(f"{given}: no experiment in {EXPERIMENTS.absolute()}; there are {names}")
    return chosen[0]


def _is_ours(path: Path, given: str) -> bool:
    return os.sep not in given.rstrip(os.sep) or Path(given).resolve() == path.resolve()


def asked_for(folder: Path) -> dict[str, Any]:
    """Experiment and overrides, with all that they came to."""
    try:
        described = dict(yaml.safe_load((folder / PROVENANCE).read_text()))
        overrides = described.get("overrides")
        listed = [overrides] if isinstance(overrides, str) else overrides or []
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            raise TypeError("overrides are no words")
        return described
    except (yaml.YAMLError, OSError, ValueError, TypeError, RecursionError) as error:
        raise BundleError(f"{folder / PROVENANCE}: not what `webassay run` writes ({error})") from None


def plan_of(folder: Path) -> ExperimentPlan:
    """As it was planned; a BundleError where code, configuration or a named file have changed since."""
    try:
        described = asked_for(folder)
        plan = plan_experiment(described["experiment"], described["overrides"])
    except (KeyError, TypeError) as error:
        raise BundleError(f"{folder / PROVENANCE}: not what `webassay run` writes ({error})") from None
    if plan.folder != folder:
        raise BundleError(
            f"{folder} is not what {described['experiment']!r} with overrides {described['overrides']!r} comes to now, "
            f"which is {plan.folder}: code, configuration or data have changed since; go back to what made it, or run "
            "it again"
        )
    return plan


def finished(plan: ExperimentPlan) -> Finished:
    """A BundleError that names the first file that is missing, cut short or older than what it was made from."""
    for path in _made(plan):
        if not path.is_file():
            raise BundleError(f"{path} is missing: the experiment is half-written; `webassay run` completes it")
    judged = tuple(each for run in plan.runs for each in _judged(run))
    if (plan.folder / "scores.csv").read_text() != to_csv(experiment_scores(plan)):
        raise BundleError(f"{plan.folder / 'scores.csv'} is older than its runs' scores; `webassay run` makes it anew")
    return Finished(plan, judged)


def _made(plan: ExperimentPlan) -> Iterator[Path]:
    folder = plan.folder
    yield from (folder / "scores.csv", folder / "experiment.yaml")
    yield folder / "report" / "index.html"
    yield from (folder / "tables" / f"{name}.{form}" for name in plan.sheets for form in ("csv", "md", "tex"))
    for run in plan.runs:
        yield from (run.folder / "tasks.jsonl", run.folder / "run.yaml", run.scores)
        yield run.scores.with_name("metrics.json")
        yield from (run.folder / "settled" / f"{shard}.json" for shard in plan.shards)
    yield from (data.manifest for run in plan.runs for data in run.datasets)


def _judged(run: RunPlan) -> Iterator[Judged]:
    rows = {row["task_id"]: row for row in join_scores([run.scores]).to_dict("records")}
    tasks = read_tasks(run.folder / "tasks.jsonl")
    if rows.keys() != {task.task_id for task in tasks}:
        raise BundleError(f"{run.scores} has other tasks than {run.folder / 'tasks.jsonl'}; `webassay run` mends it")
    for task in tasks:
        folder = run.folder / "traj" / task.task_id
        place = folder / "scores" / f"{run.eval_hash}.meta.json"
        sidecar = read_sidecar(folder / "scores", run.eval_hash)
        if sidecar is None:
            raise BundleError(f"{place} is missing or cut short; `webassay run` judges it again")
        if sidecar.task_digest != task.digest or sidecar.evidence != evidence_digest(folder):
            raise BundleError(f"{place} is about other evidence than what is in {folder}; `webassay run` judges it")
        row = rows[task.task_id]
        if (sidecar.judgement.reason, sidecar.judgement.score) != (row["reason"], known(row["score"])):
            raise BundleError(f"{place} is not what {run.scores} says of it; `webassay run` mends it")
        yield Judged(run, task, sidecar)


def known(score: float) -> float | None:
    """Of a table, where an unknown one is NaN."""
    return None if math.isnan(score) else score


def contents(done: Finished, left_out: frozenset[str]) -> dict[str, Source]:
    """By name, all but the report, which is made from these; what is made for the bundle as bytes."""
    plan = done.plan
    shared = shareable(plan, left_out, done.judged_by)
    found: dict[str, Source] = {PLAN: msgspec.json.format(msgspec.json.encode(shared, order="sorted"), indent=1)}
    found.update(own_prompts(plan))
    found |= {path.as_posix(): path for path in _below(plan.folder, {"report"})}
    for run in plan.runs:
        named = ("tasks.jsonl", "run.yaml", *(f"{stage}/{shard}.json" for stage in ("executed", "settled")
                 for shard in plan.shards), f"{run.eval_hash}/scores.csv", f"{run.eval_hash}/metrics.json")  # fmt: skip
        found |= {path.as_posix(): path for name in named if (path := run.folder / name).is_file()}
        found |= {data.manifest.as_posix(): data.manifest for data in run.datasets}
    for each in done.judged:
        found |= {path.as_posix(): path for path in _evidence(each.folder, left_out)}
        scores = (each.folder / "scores" / f"{each.plan.eval_hash}{end}" for end in (".json", ".meta.json"))
        found |= {path.as_posix(): path for path in scores if path.is_file()}
    for key, path in done.replies.items():
        if not path.is_file():
            raise BundleError(f"{path} is missing, and scores rest on that reply; `webassay judge-store merge` adds it")
        found[Store(Path(REPLIES)).path(key).as_posix()] = path
    return found | _code()


def withheld(done: Finished, left_out: frozenset[str]) -> dict[str, Path]:
    """Recordings of the network that stay here."""
    folders = dict.fromkeys(each.folder for each in done.judged) if "har" in left_out else ()
    found = (folder / name for folder in folders for name in TRACES)
    return {path.as_posix(): path for path in found if path.is_file()}


def _code() -> dict[str, Source]:
    """The workflow, its configuration and the packages it runs with: what the numbers were made by."""
    root = CONFIG.parent
    paths = [root / "Snakefile", *sorted((root / "rules").glob("*.smk")), *sorted(CONFIG.rglob("*.yaml")), root / LOCK]
    return {path.relative_to(root).as_posix(): path for path in paths}


def _evidence(folder: Path, left_out: frozenset[str]) -> Iterator[Path]:
    for path in _below(folder, APART):
        is_picture = path.suffix.lower() in PICTURES
        is_trace = path.name in TRACES or BODIES in path.relative_to(folder).parts
        if not (is_picture and "screenshots" in left_out) and not (is_trace and "har" in left_out):
            yield path


def _below(folder: Path, apart: Collection[str] = ()) -> Iterator[Path]:
    """Files, never links; hidden ones are somebody's work in progress."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in apart and not name.startswith("."))
        paths = (Path(parent, name) for name in sorted(names) if not name.startswith("."))
        yield from (path for path in paths if path.is_file() and not path.is_symlink())
