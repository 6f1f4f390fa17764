"""What a report knows of each trajectory besides its scores, and the tables made of that."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pandas as pd

from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.answer import Usage
from webassay.report.sheet import Sheet

FAILURES_NOTE = (
    "Attempts that no judge passed, by whose fault it was and by the first check that failed. `agent`: what it did or "
    "said; `site`, `task`, `harness`: not the agent's doing. `no verdict`: nobody could judge it, which is not a 0."
)
USAGE_NOTE = (
    "Tokens of the agent's model and of judges' models, summed over the attempts that counted them; of the others they "
    "are unknown, not 0. Cost is in the currency of `model.prices`. Replies taken from the store count as when they "
    "were made. Seconds are an attempt's mean."
)
UNKNOWN = "n/a"


class JudgeFacts(msgspec.Struct, frozen=True):
    attribution: str = ""
    failed: str = ""
    """The first check that did not hold."""
    usage: Usage | None = None


class Facts(msgspec.Struct, frozen=True):
    """Of one trajectory."""

    outcome: str = ""
    """Empty: there is none."""
    steps: int | None = None
    seconds: float | None = None
    retries: int = 0
    signature: str = ""
    """Four letters for each action, for finding where two runs part."""
    usage: dict[str, Usage] = {}
    judges: dict[str, JudgeFacts] = {}


RunFacts = Mapping[str, Mapping[str, Facts]]
"""Run -> task -> what is known."""


def failures_sheet(scores: pd.DataFrame, facts: RunFacts, labels: Mapping[str, str]) -> Sheet:
    counts: Counter[tuple[str, ...]] = Counter()
    for row in scores[~(scores["score"] >= 1)].to_dict("records"):
        known = facts.get(row["run"], {}).get(row["task_id"], Facts()).judges.get(row["eval_hash"], JudgeFacts())
        counts[labels[row["run"]], row["judge"], *failure(row, known)] += 1
    order = list(labels.values())
    keys = sorted(counts, key=lambda key: (order.index(key[0]), key[1], -counts[key], key[2:]))
    lines = [(*key, counts[key]) for key in keys]
    data = pd.DataFrame(lines, columns=["run", "judge", "fault", "check", "attempts"])
    return Sheet("failures", "How attempts failed", data, data.astype(str), FAILURES_NOTE)


def failure(row: Mapping[Any, Any], known: JudgeFacts) -> tuple[str, str]:
    """By whose fault an attempt did not pass, and the first check that failed."""
    reason = str(row["reason"])
    if row["verification"] == "ungraded":
        return "no verdict", str(row["execution"]) if row["execution"] != "answered" else reason.partition(":")[0]
    if row["verification"] == "auto_zero":
        return "agent", reason.partition(":")[0]
    return known.attribution or "agent", known.failed or "verdict"


def usage_sheet(experiment: ExperimentPlan, facts: RunFacts, labels: Mapping[str, str]) -> Sheet:
    runs = experiment.by_run.items()
    lines = [line for run, plan in runs for line in _usage(plan, experiment, facts[run], labels[run])]
    data = pd.DataFrame(lines)
    counts = {name: "Int64" for name in ("counted", "calls", "input", "output", "steps") if name in data}
    shown = pd.DataFrame([{name: _shown(name, value) for name, value in line.items()} for line in lines])
    return Sheet("usage", "Tokens, steps and time", data.astype(counts), shown, USAGE_NOTE)


def _usage(
    plan: RunPlan, experiment: ExperimentPlan, facts: Mapping[str, Facts], label: str
) -> Iterator[dict[str, object]]:
    """A line for the agent, and one for each judge that asked a model."""
    known = [each for each in facts.values() if each.outcome]
    seconds = [each.seconds for each in known if each.seconds is not None]
    steps = [each.steps for each in known if each.steps is not None]
    yield (
        {"run": label, "by": plan.columns["system"], "attempts": len(known)}
        | _tokens([usage for each in known for usage in each.usage.values()], sum(bool(each.usage) for each in known))
        | {"steps": sum(steps) if steps else None, "seconds": sum(seconds) / len(seconds) if seconds else None}
    )
    for each in experiment.runs:
        judged = [one.judges[each.eval_hash] for one in known if each.eval_hash in one.judges]
        counted = [one.usage for one in judged if one.usage is not None]
        if each.run == plan.run and counted:
            line = {"run": label, "by": experiment.judge_names[each.eval_hash], "attempts": len(known)}
            yield line | _tokens(counted, len(counted)) | {"steps": None, "seconds": None}


def _tokens(usage: Sequence[Usage], counted: int) -> dict[str, object]:
    """Nothing counted is unknown."""
    sums = {
        "calls": sum(each.num_calls for each in usage),
        "input": sum(each.prompt_tokens for each in usage),
        "output": sum(each.completion_tokens for each in usage),
    }
    return {"counted": counted, **(sums if usage else dict.fromkeys(sums)), "cost": total_cost(usage)}


def total_cost(usage: Sequence[Usage]) -> float | None:
    """None where any of it is unknown."""
    costs = [each.cost for each in usage if each.cost is not msgspec.UNSET]
    return sum(costs) if costs and len(costs) == len(usage) else None


def _shown(name: str, value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, float):
        return f"{value:.1f}" if name == "seconds" else f"{value:,.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
