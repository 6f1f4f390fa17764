"""What `webassay verify` is asked for: trajectories wherever they lie, their tasks, and the judge with its identity."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from webassay.benchmarks.dataset import ensure_dataset
from webassay.benchmarks.foreign import foreign_task
from webassay.benchmarks.selection import benchmark_tasks
from webassay.config import identity
from webassay.config.compose import compose_all
from webassay.config.experiment import CONFIG, judge_weights
from webassay.config.kinds import build_judge
from webassay.core.answer import answer_files
from webassay.core.digest import digest
from webassay.core.folders import trajectory_folders
from webassay.core.task import Task
from webassay.errors import ConfigError, TrajectoryError, WebassayError
from webassay.judges.lifecycle import Case, Court
from webassay.sites.facts import site_facts

REPORT = "verify_report.jsonl"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Plan:
    court: Court
    cases: tuple[Case, ...]
    unknown: Mapping[Path, str]
    """Trajectories of which nobody knows the task: empty, or why what should tell of it cannot be read."""
    report: Path
    workers: int
    confidence: float


def plan_verification(
    paths: Sequence[Path],
    *,
    judge: str | None,
    benchmark: str | None,
    overrides: Sequence[str],
    scores: Path | None,
    report: Path | None,
    limit: int | None,
    redo: bool,
) -> Plan:
    config, fields = _composed(judge, benchmark, overrides)
    known = _by_name(benchmark_tasks(config)) if benchmark else {}
    if (weights := judge_weights(config)) is not None:
        ensure_dataset(weights)
    found = list(islice(_found(paths, scores), limit))
    if not found:
        raise TrajectoryError(f"{', '.join(map(str, paths))}: no trajectory there (a folder with web_surfer.log)")
    tasks = {folder: _task_or_why(folder, known, benchmark) for folder, _ in found}
    court = Court(
        build_judge(config),
        identity.eval_part(fields),
        identity.judge_fields(fields["judge"]),
        redo,
        {name: site_facts(site) for name, site in config["environment"]["sites"].items()},
    )
    return Plan(
        court=court,
        cases=tuple(Case(task, folder, place) for folder, place in found if isinstance(task := tasks[folder], Task)),
        unknown={folder: why for folder, why in tasks.items() if isinstance(why, str)},
        report=report or (scores or paths[0]) / REPORT,
        workers=config["execution"]["judging"],
        confidence=config["analysis"]["confidence"],
    )


def _composed(
    judge: str | None, benchmark: str | None, overrides: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    words = [f"benchmark={benchmark}"] if benchmark else []
    words += [f"judge={judge}"] if judge else []
    composed = compose_all(CONFIG, [words], overrides)
    if len(composed) != 1:
        raise ConfigError("trajectories go before one judge at a time; give one value for each key")
    config = OmegaConf.to_container(composed[0], resolve=True)
    assert isinstance(config, dict)
    return {str(key): value for key, value in config.items()}, identity.hashed_fields(composed[0])


def _found(paths: Sequence[Path], scores: Path | None) -> Iterator[tuple[Path, Path]]:
    """Each trajectory once, with the folder of its scores: beside it, or one below `scores`.

    The name there is the trajectory's alone, whatever PATHs it was found by: two never share it, and one never moves.
    """
    seen: set[Path] = set()
    for root in paths:
        for folder in trajectory_folders(root):
            whole = folder.resolve()
            if whole not in seen:
                seen.add(whole)
                name = f"{whole.name}-{digest(os.fspath(whole))[:8]}"
                yield folder, folder / "scores" if scores is None else scores / name


def _by_name(tasks: Sequence[Task]) -> dict[str, Task]:
    return {task.task_id: task for task in tasks}


def _task_or_why(folder: Path, known: Mapping[str, Task], benchmark: str | None) -> Task | str:
    """What is wrong with one folder is no reason to leave the others unjudged."""
    try:
        return _task(folder, known, benchmark) or ""
    except OSError as error:
        return f"{error.filename or folder}: {error.strerror}; give yourself the right to read it"
    except WebassayError as error:
        return str(error)


def _task(folder: Path, known: Mapping[str, Task], benchmark: str | None) -> Task | None:
    """The benchmark's, by the names that the folder and its answer carry; without one, what the folder says."""
    if benchmark is None:
        return foreign_task(folder)
    answers = [name.removesuffix("_answer.json").removesuffix("_final") for name in answer_files(os.listdir(folder))]
    names = (folder.name, *answers)
    return next((known[name] for word in names for name in (word, _UNSAFE.sub("_", word)) if name in known), None)
