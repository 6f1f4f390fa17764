"""`plan.json` of a bundle: the experiment's plan as it was composed, without what is this machine's or secret.

Whoever reproduces needs no configuration tree, no file that an override named and no Hydra: the digests that decide
every path are in here, and so is each judge as it was set up. What a stranger's plan says is checked before it is used,
for it names folders and code.
"""

import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from webassay.config import identity
from webassay.config.paths import DatasetPlan, ExperimentPlan, PaperPlan, RunPlan
from webassay.config.prompts import prompt_digests, prompts_folder
from webassay.core.digest import digest
from webassay.core.files import UNREADABLE
from webassay.errors import BundleError, ConfigError
from webassay.llm.client import SAMPLING

PLAN, PROMPTS, REPLIES = "plan.json", "judge_prompts", "results/llm"
REPLAY = {"mode": "replay", "folder": REPLIES, "parallel": 4}
FORM = 1
JUDGES = "webassay.judges."
"""A bundle may name code of this package's judges and no other: a class that it names is called."""
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}")


class SharedPlan(msgspec.Struct, frozen=True):
    form: int
    identity_version: int
    experiment: ExperimentPlan
    left_out: tuple[str, ...]
    """Of `screenshots` and `har`."""
    judged_by: tuple[str, ...]
    """The versions of webassay that judged, with their commits."""


def shareable(plan: ExperimentPlan, left_out: frozenset[str], judged_by: tuple[str, ...]) -> SharedPlan:
    paper = PaperPlan(_pin(plan.paper.tasks), None, {}, (), {})
    runs = tuple(replace(run, **_kept(run)) for run in plan.runs)
    experiment = ExperimentPlan(plan.name, runs, paper)
    return SharedPlan(FORM, identity.IDENTITY_VERSION, experiment, tuple(sorted(left_out)), judged_by)


def own_prompts(plan: ExperimentPlan) -> dict[str, Path]:
    """Prompts of judges that are not the package's: their place in a bundle, and their file here."""
    folders = {each for run in plan.runs if "/" in (each := str(run.config["judge"].get("prompts", "")))}
    return {
        f"{_prompts(each)}/{path.name}": path for each in folders for path in sorted(prompts_folder(each).glob("*.txt"))
    }


def _prompts(folder: str) -> str:
    return f"{PROMPTS}/{digest(prompt_digests(folder))[:8]}"


def _pin(data: DatasetPlan) -> DatasetPlan:
    """Without the path of a file on this machine."""
    kind = data.source.partition(":")[0]
    return data if kind in ("build", "wheel") else replace(data, source=f"{kind}:")


def _kept(run: RunPlan) -> dict[str, Any]:
    """Of a run what judging and counting look at; hosts, keys, passwords and paths stay here."""
    config = run.config
    judge = dict(config["judge"])
    if "llm" in judge:
        judge["llm"] = REPLAY
    if "model" in judge:
        judge["model"] = {key: judge["model"].get(key) for key in ("name", *SAMPLING)}
    if "/" in str(judge.get("prompts", "")):
        judge["prompts"] = _prompts(judge["prompts"])
    return {
        "config": {
            "system": {"name": config["system"]["name"], "ensemble": config["system"]["ensemble"]},
            "model": {"name": config["model"]["name"]},
            "benchmark": {"name": config["benchmark"]["name"]},
            "judge": judge,
            "analysis": {"confidence": config["analysis"]["confidence"]},
            "execution": {key: config["execution"][key] for key in ("judging", "shards")},
        },
        "benchmark_data": _pin(run.benchmark_data),
        "environment_data": run.environment_data and _pin(run.environment_data),
        "model_data": run.model_data and _pin(run.model_data),
    }


def read_plan(root: Path) -> SharedPlan:
    """A BundleError for anything that could not have been written by `webassay bundle`."""
    path = root / PLAN
    try:
        form = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw]).get("form")
        if form is None or bytes(form) != str(FORM).encode():
            raise BundleError(f"{PLAN}: of form {form and bytes(form).decode()!r}; this webassay reads form {FORM}")
        plan = msgspec.json.decode(path.read_bytes(), type=SharedPlan)
        _check(plan.experiment)
    except FileNotFoundError:
        raise BundleError(f"there is no {PLAN}: not a bundle of webassay") from None
    except (*UNREADABLE, KeyError, TypeError, AttributeError, ValueError) as error:
        raise BundleError(f"{PLAN}: not a plan ({error})") from None
    return plan


def _check(plan: ExperimentPlan) -> None:
    if not plan.runs:
        raise BundleError(f"{PLAN}: it plans no run")
    for name in (plan.name, *(part for run in plan.runs for part in (*run.parts, run.eval_hash))):
        if not NAME.fullmatch(name):
            raise BundleError(f"{PLAN}: {name[:100]!r} cannot name a folder")
    for run in plan.runs:
        _check_judge(run.config["judge"])
        _check_names(run.columns.values())
        _ = run.analysis, plan.folder, run.config["judge"]["kind"], run.config["execution"]["judging"]


def _check_names(names: Iterable[str]) -> None:
    """A model may be called openai/gpt-4o; nothing is called like a way up, or like nothing that can be printed."""
    for name in names:
        if not name.isprintable() or "\\" in name or ".." in name.split("/"):
            raise BundleError(f"{PLAN}: {name[:100]!r} is no name of a system, model, benchmark or judge")


def _check_judge(judge: dict[str, Any]) -> None:
    """It asks no model, reads no folder but those of the bundle, and `options` say nothing else."""
    if judge.get("llm", REPLAY) != REPLAY or {"llm", "model", "prompts"} & judge.get("options", {}).keys():
        raise BundleError(f"{PLAN}: a judge that would not go by the replies in {REPLIES}")
    folder, _, name = str(judge.get("prompts", "")).partition("/")
    if (name and folder != PROMPTS) or (folder and not NAME.fullmatch(name or folder)):
        raise BundleError(f"{PLAN}: a judge whose prompts are not in {PROMPTS}")


def foreign(run: RunPlan) -> str:
    """Why the judge cannot be asked here; empty where it can."""
    kind = str(run.config["judge"]["kind"])
    module, _, name = kind.partition(":")
    if not module.startswith(JUDGES):
        return f"its judge {kind} is no part of webassay"
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return f"this webassay has no judge {kind}"
    ours = isinstance(found, type) and found.__module__ == module and hasattr(found, "judge")
    return "" if ours else f"this webassay has no judge {kind}"


def changed_code(plan: SharedPlan) -> Iterator[str]:
    """Where this webassay would judge by other rules under the same digest."""
    if plan.identity_version != identity.IDENTITY_VERSION:
        yield f"digests are of version {plan.identity_version}, here of {identity.IDENTITY_VERSION}"
    for run in {run.eval_hash: run for run in plan.experiment.runs}.values():
        if foreign(run):
            continue
        judge, there = run.config["judge"], run.identity.get("versions", {}).get("judge")
        if (here := identity.code_version(judge["kind"])) != there:
            yield f"judge {run.eval_hash}: VERSION {there} of {judge['kind']} judged, here is VERSION {here}"
        prompts = run.identity["judge"].get("prompts")
        if prompts is not None and (differing := _other_prompts(judge["prompts"], prompts)):
            yield f"judge {run.eval_hash}: {differing}"


def _other_prompts(name: str, there: dict[str, str]) -> str:
    try:
        here = prompt_digests(name)
    except ConfigError as error:
        return str(error)
    names = sorted(file for file in here.keys() | there.keys() if here.get(file) != there.get(file))
    return f"its prompts in {name} are others here: {', '.join(names)}" if names else ""
