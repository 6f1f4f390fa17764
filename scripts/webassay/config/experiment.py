"""An experiment's file and the user's overrides -> the plan that the workflow carries out.

Composing is the slow part of starting (Hydra), and every job of a cluster starts anew, so composed configurations are
kept under `results/.cache` by the digest of the configuration tree, the schema and the overrides.
"""

import difflib
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import yaml
from omegaconf import OmegaConf

from webassay.config import checkout, identity, inputs, secrets
from webassay.config.paths import RESULTS, DatasetPlan, ExperimentPlan, PaperPlan, RunPlan
from webassay.core.digest import digest, file_digest
from webassay.core.files import read_json, write_json
from webassay.core.folders import content_digest
from webassay.core.task import SAFE_ID
from webassay.errors import ConfigError

CONFIG = Path(__file__).resolve().parents[3] / "config"
DEFAULT_EXPERIMENT, OWN_EXPERIMENT = "quickstart", "single"
OWN_KEYS = ("system", "benchmark")
"""Whoever names one of these without an experiment means one run, not all of the quickstart's."""
BOUNDS: dict[str, tuple[float, float]] = {
    "system.max_rounds": (1, math.inf),
    "system.max_seconds": (0.001, 86_400),
    "system.action_seconds": (0.001, 3600),
    "benchmark.select.limit": (1, math.inf),
    "analysis.confidence": (0.5, 0.9999),
    "analysis.agreement.target": (0, 1),
    "analysis.agreement.resamples": (100, 100_000),
    "analysis.agreement.seed": (0, 2**63),
    "execution.workers": (1, 256),
    "execution.judging": (1, 256),
    "execution.controls": (0, 1000),
    "execution.shards": (1, 10_000),
    "execution.max_error_task_retries": (0, 1000),
    "environment.port": (0, 65_535),
}
WEBARENA = ("webarena", "webarena_verified", "webarena_verified_hard")
"""Benchmarks whose runs belong in the paper's tables."""
PAPER_CODE = ("webassay.systems.naive", "webassay.judges.webarena", "webassay.judges.verified")
UNGRADED = ("failed", "left_out")
WORKFLOW_KEYS = {"experiment", "overrides", "bench_scale"}
KNOWN_KEYS = {"description", "runs"}


def plan_experiment(
    name: str | None = None, overrides: str | Sequence[str] | None = None, folder: Path = CONFIG
) -> ExperimentPlan:
    """The plan of `config/experiment/<name>.yaml` with overrides applied to each of its runs."""
    given = split_overrides(overrides)
    name = name or _default_experiment(given)
    plans: dict[tuple[str, str], RunPlan] = {}
    for config, fields in _composed(folder, name, given):
        plan = _plan_run(config, fields)
        same = plans.setdefault((plan.run, plan.eval_hash), plan)
        if same.config != plan.config:
            differing = ", ".join(key for key in plan.config if plan.config[key] != same.config[key])
            raise ConfigError(
                f"a sweep over settings that change no score (in {differing}) would be the same run twice"
            )
    runs = tuple(plans.values())
    return ExperimentPlan(name, runs, _plan_paper(runs))


def note_start(given: dict[str, Any], plan: ExperimentPlan) -> None:
    """For whoever wants to watch: what was started last, and how to plan it again."""
    asked = {"experiment": plan.name, "overrides": split_overrides(given.get("overrides"))}
    write_json(RESULTS / ".cache" / "started" / f"{plan.folder.name}.json", asked)


def started() -> Path | None:
    """Of the experiment that was started last."""
    found = (RESULTS / ".cache" / "started").glob("*.json")
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def _default_experiment(overrides: list[str]) -> str:
    chosen = {override.partition("=")[0] for override in overrides}
    return OWN_EXPERIMENT if chosen & set(OWN_KEYS) else DEFAULT_EXPERIMENT


def check_keys(given: dict[str, Any]) -> None:
    """Of Snakemake's --config: a key that nobody reads is a typo."""
    for key in given.keys() - WORKFLOW_KEYS:
        raise ConfigError(f"--config {key}=…: unknown; known are {', '.join(sorted(WORKFLOW_KEYS))}")


def split_overrides(given: str | Sequence[str] | None) -> list[str]:
    """`a=1 b='x y'` as typed after `overrides=`, where Snakemake gives None for nothing; a list is taken as it is.

    A shell leaves `benchmark.path=~/tasks` as it is, and Hydra's grammar has no `~` in a value: it is filled in here.
    """
    return [re.sub(r"^([^=]+=)~(?=/|$)", lambda found: found[1] + str(Path.home()), word) for word in _words(given)]


def _words(given: str | Sequence[str] | None) -> list[str]:
    if isinstance(given, list | tuple) or given is None:
        return [str(item) for item in given or ()]
    if not isinstance(given, str):
        raise ConfigError(f"overrides={given!r} was read as YAML; give a list of words, or quote it")
    try:
        return shlex.split(given)
    except ValueError as error:
        raise ConfigError(f"overrides {given!r}: {error}") from None


def read_experiment(folder: Path, name: str) -> list[list[str]]:
    """The overrides of each run."""
    path = folder / "experiment" / f"{name}.yaml"
    if not SAFE_ID.fullmatch(name) or not path.is_file():
        known = sorted(file.stem for file in (folder / "experiment").glob("*.yaml"))
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ConfigError(
            f"experiment={name}: no such file config/experiment/{name}.yaml; {hint}available: {', '.join(known)}"
        )
    try:
        content = yaml.safe_load(path.read_text())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: broken YAML: {error}") from None
    if not isinstance(content, dict) or content.keys() - KNOWN_KEYS or not _is_text_list(content.get("runs")):
        raise ConfigError(
            f"{path}: expected `runs:` with a list of overrides such as '- system=oracle', and nothing "
            "else but `description:`"
        )
    return [split_overrides(run) for run in content["runs"]]


def _is_text_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _composed(folder: Path, name: str, overrides: list[str]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(unresolved configuration, identity fields) of each run, from the cache where it has them."""
    runs = read_experiment(folder, name)
    secrets.refuse_passwords(override for given in (*runs, overrides) for override in given)
    key = digest([identity.IDENTITY_VERSION, _tree_digest(folder), _code_digest(), runs, overrides])
    cache = RESULTS / ".cache" / "composed" / f"{key[:32]}.json"
    if not cache.is_file():
        write_json(cache, _compose(folder, runs, overrides))
    return [(entry["config"], entry["fields"]) for entry in read_json(cache)]


def _compose(folder: Path, runs: list[list[str]], overrides: list[str]) -> list[dict[str, Any]]:
    from webassay.config.compose import compose_all  # Hydra: 0.2 CPU seconds that a cache hit saves

    composed = [
        {"config": OmegaConf.to_container(config, resolve=False), "fields": identity.hashed_fields(config)}
        for config in compose_all(folder, runs, overrides)
    ]
    for entry in composed:
        secrets.refuse_users(entry["config"])
        secrets.refuse_credentials(entry["config"])
    return composed


def _tree_digest(folder: Path) -> str:
    return digest({str(path.relative_to(folder)): file_digest(path) for path in sorted(folder.rglob("*.yaml"))})


def _code_digest() -> str:
    here = Path(__file__).parent
    return digest({str(path.relative_to(here)): file_digest(path) for path in sorted(here.rglob("*.py"))})


def _plan_run(unresolved: dict[str, Any], fields: dict[str, Any]) -> RunPlan:
    config = _resolve(unresolved)
    _check_values(config)
    config["environment"] = checkout.expand(config["environment"])
    environment = _dataset(config["environment"]["dataset"], "environment.dataset")
    benchmark = _dataset(config["benchmark"]["dataset"], "benchmark.path", config["benchmark"]["path"]) or environment
    if benchmark is None:
        raise ConfigError(f"benchmark={config['benchmark']['name']} has no dataset, and neither has its environment")
    if config["environment"]["folders"]:  # applications are run where they are, so what they are is told here
        fields["environment"]["folders"]["only"] = list(config["environment"]["sites"])
        fields["environment"]["content"] = benchmark.sha256
    if "path" in config["system"]:  # an imported run: where it lies decides nothing, what it holds does
        fields["system"]["content"] = _imported_content(config["system"])
    fields["analysis"] |= inputs.content(config["analysis"])
    if environment is not None:
        fields["environment"]["dataset"] |= {"version": _dataset_version(environment)}
    versions = {kind: identity.code_version(config[kind]["kind"]) for kind in ("system", "benchmark", "judge")}
    judge_data = judge_weights(config)
    return RunPlan(
        config=config,
        identity=fields | {"judge": identity.judge_fields(fields["judge"]), "versions": versions},
        parts=(
            identity.system_part(fields),
            identity.model_part(fields),
            config["user"],
            identity.exec_part(fields),
            str(config["run_id"]),
        ),
        eval_hash=identity.eval_part(fields),
        tasks_digest=digest([benchmark.sha256, versions["benchmark"]]),
        benchmark_data=benchmark,
        environment_data=environment,
        model_data=_dataset(config["model"].get("weights"), "model.weights"),
        judge_data=judge_data,
    )


def judge_weights(config: dict[str, Any]) -> DatasetPlan | None:
    """Those of a judge's model in the box, where there is one; the judge is told where they will lie."""
    model = config["judge"].get("model") or {}
    data = _dataset(model.get("weights"), "judge.model.weights")
    if data is not None:
        model["weights"]["folder"] = str(data.folder)
    return data


def _plan_paper(runs: tuple[RunPlan, ...]) -> PaperPlan:
    """An experiment has one analysis, which sweeps over it would otherwise contradict."""
    config, analysis = runs[0].config["analysis"], runs[0].identity["analysis"]
    tasks = _dataset(config["tasks"], "analysis.tasks")
    if tasks is None:
        raise ConfigError("analysis.tasks: the paper's tables need a dataset; see config/analysis/default.yaml")
    outcomes = Path(config["outcomes"]).expanduser() if config["outcomes"] else None
    own = tuple(plan for plan in runs if plan.config["benchmark"]["name"] in WEBARENA)
    versions = {module: identity.code_version(module) for module in PAPER_CODE}
    return PaperPlan(tasks, outcomes, analysis, own, versions)


def _imported_content(system: dict[str, Any]) -> str:
    if not system["path"]:
        raise ConfigError(f"system={system['name']}: an imported run has to be somewhere; set system.path=FOLDER")
    return content_digest(Path(system["path"]).expanduser())


def _check_values(config: dict[str, Any]) -> None:
    """What a type cannot say: names of folders, and numbers within bounds."""
    names = {"user": config["user"], "run_id": config["run_id"]}
    for node in ("benchmark", "environment"):
        if config[node]["dataset"]:
            names[f"{node}.dataset.name"] = config[node]["dataset"]["name"]
    for key, value in names.items():
        if not SAFE_ID.fullmatch(str(value)):
            raise ConfigError(f"{key}={value}: it names a folder; use letters, digits, '.', '_' and '-'")
    secrets.refuse_users(config)
    if (ungraded := config["analysis"]["ungraded"]) not in UNGRADED:
        raise ConfigError(f"analysis.ungraded={ungraded}: must be {' or '.join(UNGRADED)}")
    for key, (least, most) in BOUNDS.items():
        number: Any = reduce(getitem, key.split("."), config)
        if number is not None and not least <= number <= most:
            raise ConfigError(f"{key}={number}: must be between {least:g} and {most:g}")


def _resolve(unresolved: dict[str, Any]) -> dict[str, Any]:
    """OmegaConf takes its time, so it is given those nodes alone that refer to others, and what they refer to."""
    wanted = {key for key, node in unresolved.items() if any(map(_is_reference, _texts(node)))}
    while more := {word for key in wanted for word in _referred(unresolved[key])} & unresolved.keys() - wanted:
        wanted |= more
    config = OmegaConf.create({key: unresolved[key] for key in unresolved if key in wanted})
    resolved = OmegaConf.to_container(config, resolve=True)
    assert isinstance(resolved, dict)
    return {key: resolved[key] if key in wanted else deepcopy(node) for key, node in unresolved.items()}


def _referred(node: Any) -> Iterator[str]:
    """All words of references, the names of other nodes among them."""
    for text in filter(_is_reference, _texts(node)):
        yield from re.findall(r"\w+", text)


def _is_reference(text: str) -> bool:
    return "${" in text


def _texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _texts(child)


def _dataset(node: dict[str, Any] | None, where: str, own: str = "") -> DatasetPlan | None:
    return DatasetPlan(node["name"], *identity.pinned(node, where, own)) if node else None


def _dataset_version(data: DatasetPlan) -> int | None:
    """Pages are part of a benchmark too: the site's code counts besides its content."""
    kind, _, module = data.source.partition(":")
    return identity.code_version(module) if kind == "build" else None
