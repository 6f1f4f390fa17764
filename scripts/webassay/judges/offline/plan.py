"""What `webassay score` is asked for: tasks, where their sites were, and the judge with its identity."""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from webassay.benchmarks.dataset import benchmark_dataset, ensure_dataset
from webassay.benchmarks.records import tasks_file
from webassay.benchmarks.selection import select, task_type
from webassay.benchmarks.webarena_verified import MEMBER
from webassay.config import identity
from webassay.config.compose import compose_all
from webassay.config.experiment import CONFIG
from webassay.config.kinds import build_judge, load_kind
from webassay.config.paths import RESULTS
from webassay.core.digest import digest, file_digest
from webassay.core.task import Task, unique
from webassay.errors import ConfigError
from webassay.evidence.site import sites_of
from webassay.judges.offline.ledger import ranges
from webassay.judges.offline.logs import RUN_CONFIG, Inputs, Settings, read_settings
from webassay.sites.facts import site_facts

VERSION = 1
"""Of what scoring writes beside a verdict: raise it, and all is scored anew."""

MAX_RANGE = 100_000
_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})")


@dataclasses.dataclass(frozen=True)
class Plan:
    logs: Path
    out: Path
    benchmark: str
    tasks: tuple[Task, ...]
    others: tuple[Task, ...]
    """The benchmark's tasks that were not asked for."""
    settings: Settings
    profile: str
    judge: dict[str, Any]
    """The configuration of the judge that decides verdicts."""
    judge_version: int
    eval_hash: str
    data_checksum: str
    confidence: float
    facts: dict[str, dict[str, Any]]
    """Of the environment's sites: addresses, login paths and session cookies."""
    guess: bool
    """Nobody said where the sites were: the profile `release` then takes addresses from each trace."""
    per_task: bool
    """A task's own `run_config.json` may say where its sites were."""

    @property
    def known(self) -> frozenset[str]:
        """All ids of the benchmark, selected or not."""
        return frozenset(task.task_id for task in (*self.tasks, *self.others))

    @property
    def ledger(self) -> Path:
        """The folder that remembers the verdicts of `out`."""
        place = self.out.resolve()
        return RESULTS / "scores" / identity.part(place.name[:100], str(place))

    @cached_property
    def placed(self) -> dict[str, Any] | None:
        """Where the sites were, unless a task says otherwise."""
        return self._placed(self.settings)

    def environments(self, task: Task) -> dict[str, Any] | None:
        """Where the task's sites were when its agent ran."""
        own = self.logs / task.task_id / RUN_CONFIG
        if self.per_task and own.is_file() and (settings := read_settings(own)).environments:
            return self._placed(settings)
        return self.placed

    def identity(self, task: Task, inputs: Inputs, environments: Mapping[str, Any] | None) -> str:
        """All that a verdict depends on; the same identity is never judged twice.

        The data set is not in it, but the task is: a copy with one task mended has one to judge.
        """
        judge = [identity.IDENTITY_VERSION, VERSION, identity.judge_fields(self.judge), self.judge_version]
        return digest([judge, task.digest, environments, inputs.stamps])

    def _placed(self, settings: Settings) -> dict[str, Any] | None:
        if settings.environments is None:
            return None if self.guess else self.facts
        placed = {}
        for name, address in settings.environments.items():
            own = {"urls": list(address.urls), "active_url_idx": address.active_url_idx or 0}
            placed[name] = own if self.profile == "release" else self.facts.get(name, {}) | own
        if self.profile != "release":
            sites_of(placed)  # a mistake is told before anything is judged
        return placed


def plan_scoring(
    logs: Path,
    *,
    benchmark: str,
    profile: str | None,
    tasks: str | None,
    sites: Sequence[str],
    config: Path | None,
    dataset: Path | None,
    out: Path | None,
    overrides: Sequence[str],
) -> Plan:
    if not logs.is_dir():
        raise ConfigError(f"{logs}: there is no such folder of logs")
    words = [f"benchmark={benchmark}", "environment=webarena", "judge=verified"]
    words += [f"judge.profile={profile}"] if profile else []
    words += [f"benchmark.path={_quoted(dataset)}"] if dataset else []
    composed = compose_all(CONFIG, [words], overrides)
    if len(composed) != 1:
        raise ConfigError("a sweep cannot be scored at once; give one value for each key")
    resolved: Any = OmegaConf.to_container(composed[0], resolve=True)
    fields = identity.hashed_fields(composed[0])
    assert isinstance(resolved, dict)
    node: dict[str, Any] = resolved["benchmark"]
    build_judge({"judge": resolved["judge"]})  # a profile that it does not know is told here
    folder = ensure_dataset(benchmark_dataset(resolved))
    loaded = unique(load_kind(node["kind"]).load(folder))
    if not any(task_type(task) for task in loaded):
        raise ConfigError(
            f"benchmark={benchmark}: its tasks expect no structured response; judge verified is not theirs"
        )
    chosen = {"tasks": task_ids(tasks)} if tasks else {}
    chosen |= {"sites": list(sites)} if sites else {}
    said = config is not None or any(word.startswith("environment") for word in overrides)
    _check_known("--tasks", chosen.get("tasks", []), {task.task_id for task in loaded})
    _check_known("--sites", chosen.get("sites", []), {site for task in loaded for site in task.sites})
    judge: dict[str, Any] = fields["judge"]
    asked = {task.task_id: task for task in select(loaded, node["select"] | chosen)}
    return Plan(
        logs=logs,
        out=_folder(out or logs),
        benchmark=node["name"],
        tasks=tuple(asked.values()),
        others=tuple(task for task in loaded if task.task_id not in asked),
        settings=read_settings(config) if config else Settings(),
        profile=judge["profile"],
        judge=judge,
        judge_version=identity.code_version(judge["kind"]),
        eval_hash=identity.eval_part(fields),
        data_checksum=file_digest(tasks_file(folder, MEMBER)),
        confidence=resolved["analysis"]["confidence"],
        facts={name: site_facts(site) for name, site in resolved["environment"]["sites"].items()},
        guess=judge["profile"] == "release" and not said,
        per_task=config is None,
    )


def _check_known(flag: str, given: Sequence[str], known: set[str]) -> None:
    if unknown := set(given) - known:
        raise ConfigError(f"{flag}: {ranges(unknown)} is not in the benchmark, which has {ranges(known)}")


def task_ids(words: str) -> list[str]:
    """`1,2,5-9`, or `@FILE` with the same, also on several lines; # begins a comment there."""
    if words.startswith("@"):
        try:
            lines = Path(words[1:]).read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"--tasks {words}: {error}") from None
        words = ",".join(line.partition("#")[0] for line in lines)
    found = [name for word in words.replace(",", " ").split() for name in _expanded(word)]
    if not found:
        raise ConfigError("--tasks names no task")
    return found


def _expanded(word: str) -> list[str]:
    bounds = _RANGE.fullmatch(word)
    if bounds is None:
        return [word]
    first, last = int(bounds[1]), int(bounds[2])
    if not first <= last <= first + MAX_RANGE:
        raise ConfigError(f"--tasks {word}: not a range of tasks")
    return [str(number) for number in range(first, last + 1)]


def _folder(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--out {out}: {error.strerror}") from None
    return out


def _quoted(path: Path) -> str:
    """As Hydra's grammar wants a text with any characters."""
    text = str(path).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"
