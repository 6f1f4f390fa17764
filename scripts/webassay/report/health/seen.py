"""What the judges of an experiment left beside the trajectories: verdicts, votes, reasons, tokens."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webassay.config.naming import differing_settings
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.answer import Usage, are_known
from webassay.judges.lifecycle import JUDGE_ERROR, Judgement, Sidecar, read_sidecar
from webassay.llm.prices import cost
from webassay.report.tables import IDENTITY, join_scores

VOTE, NO_VERDICT = "vote.", "verdict"
OTHERS = "other reasons"
_ABSTAINED = re.compile(r"abstained: (\w+)")
_DROPPED = re.compile(r"(left out|unreadable) ([\d, -]+)")


@dataclass(frozen=True)
class Seen:
    """One judging."""

    task_id: str
    sidecar: Sidecar

    @property
    def row(self) -> Judgement:
        return self.sidecar.judgement

    @property
    def votes(self) -> list[str]:
        return [str(one.actual) for one in self.sidecar.assertions if one.name.startswith(VOTE)]

    @property
    def margin(self) -> float | None:
        """By how many of all votes one side leads: 1 where all agree; None where fewer than two were drawn."""
        votes = self.votes
        return abs(votes.count("success") - votes.count("failure")) / len(votes) if len(votes) > 1 else None

    @property
    def why_ungraded(self) -> str:
        """The category of an abstention, `aborted`, `judge_error`, or another reason; empty where there is a score."""
        if self.row.score is not None:
            return ""
        if self.row.execution == "aborted":
            return "aborted"
        if self.row.reason.startswith(JUDGE_ERROR):
            return "judge_error"
        found = _ABSTAINED.search(self.row.reason)
        return found[1] if found else OTHERS

    def frames(self, word: str) -> int:
        """Screenshots that the last question had `left out`, or that are `unreadable`."""
        told = next((one.evidence for one in self.sidecar.assertions if _tells_frames(one.name)), "")
        return next((_counted(numbers) for said, numbers in _DROPPED.findall(told) if said == word), 0)


@dataclass(frozen=True)
class Bench:
    """All that one judge judged of one run."""

    plan: RunPlan
    columns: dict[str, str]
    seen: tuple[Seen, ...]

    @property
    def asks_models(self) -> bool:
        return bool(self.plan.config["judge"].get("model", {"name": "none"})["name"] != "none")

    @cached_property
    def prices(self) -> dict[str, float | None]:
        return dict((self.plan.config["judge"].get("model") or {}).get("prices") or {})

    def money(self, used: Sequence[Usage]) -> float | None:
        """None where nobody knows the prices."""
        costs = [cost({name: getattr(one, name, 0) for name in COUNTED}, self.prices) for one in used]
        known = [each for each in costs if each is not None]
        return sum(known) if len(known) == len(costs) and are_known(self.prices) else None


COUNTED = ("prompt_tokens", "completion_tokens", "cached_tokens")


def benches(experiment: ExperimentPlan) -> list[Bench]:
    return [
        Bench(
            plan,
            {name: plan.columns[name] for name in IDENTITY}
            | {
                "judge": experiment.judge_names[plan.eval_hash],
                "settings": differing_settings(plan, experiment.runs),
            },
            tuple(_seen(plan)),
        )
        for plan in experiment.runs
    ]


def _seen(plan: RunPlan) -> Iterator[Seen]:
    """In the order of the scores, which say which tasks are the run's."""
    for task_id in join_scores([plan.scores])["task_id"]:
        sidecar = read_sidecar(plan.folder / "traj" / task_id / "scores", plan.eval_hash)
        if sidecar is not None:
            yield Seen(task_id, sidecar)


def _tells_frames(name: str) -> bool:
    return name.startswith(VOTE) or name == NO_VERDICT


def _counted(numbers: str) -> int:
    """Of `1-3, 7`: 4."""
    ranges = [part.strip().partition("-") for part in numbers.split(",") if part.strip()]
    return sum(int(last or first) - int(first) + 1 for first, _, last in ranges)


def row_of(bench: Bench) -> dict[str, Any]:
    """The first columns of every table."""
    return dict(bench.columns)
