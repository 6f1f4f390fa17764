"""What people call judges and runs: their names, and the settings that tell those of one name apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webassay.config.paths import RunPlan

LONGEST = 60
"""Letters of a name that is still read; beyond, a digest says as much."""
NAMES = ("system", "model", "benchmark", "run_id", "judge")


def judge_names(plans: Iterable[RunPlan]) -> dict[str, str]:
    """eval_hash -> name, in the plans' order: `verified`, or `verified profile=release` beside another of that name."""
    judges = {plan.eval_hash: plan for plan in plans}
    wanted = {key: _judge_name(plan, judges.values()) for key, plan in judges.items()}
    names = list(wanted.values())
    return {key: name if names.count(name) == 1 and len(name) <= LONGEST else key for key, name in wanted.items()}


def _judge_name(plan: RunPlan, judges: Iterable[RunPlan]) -> str:
    """With the settings that all judges of its name have, and not all alike."""
    name = plan.columns["judge"]
    alike = [flat(other.identity["judge"]) for other in judges if other.columns["judge"] == name]
    shared = {key: value for key, value in flat(plan.identity["judge"]).items() if all(key in other for other in alike)}
    return f"{name} {differing(shared, alike)}".rstrip()


def differing_settings(plan: RunPlan, plans: Iterable[RunPlan]) -> str:
    """What tells a run from others of the same names: `system.max_rounds=2`. Judges have names of their own."""
    names = [plan.columns[name] for name in NAMES]
    alike = [flat(_of_run(other)) for other in plans if [other.columns[name] for name in NAMES] == names]
    return differing(flat(_of_run(plan)), alike)


def _of_run(plan: RunPlan) -> dict[str, Any]:
    versions = {kind: version for kind, version in plan.identity["versions"].items() if kind != "judge"}
    return {key: value for key, value in plan.identity.items() if key != "judge"} | {"versions": versions}


def differing(own: dict[str, Any], others: Iterable[dict[str, Any]]) -> str:
    others = list(others)
    return " ".join(f"{key}={value}" for key, value in own.items() if any(other.get(key) != value for other in others))


def flat(node: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
    return found
