"""The judge `rubric`: the Universal Verifier, which scores a run by criteria and by what came of it.

| step | asks | what |
|---|---|---|
| -1 | 1 | what the task allows without asking the person (critical point) |
| 0 | 0 or 2, and 1 | the task's own rubric, or a generated one; a first score by the actions alone |
| 1-3 | N | relevance of each of N screenshots to each criterion; the best for each |
| 4 | up to N | what these show; conditions, with one question more where there are several |
| 5 | 1 | what the site really offered |
| 6-7 | 2 n | points for each criterion; penalties for side effects; n votes, of which the median counts |
| 8 | n, and 1 | whether the person's aim was reached, by majority; whether a critical point was crossed |
| 9-10 | 3 | where it first went wrong; whether the task is clear and possible; never part of the score |

Every step is a pure function of the trajectory and of stored replies, so the store is where its artefacts are kept: a
changed prompt asks from its step on, and thresholds, `success` and `process` ask nothing. Steps 0, 6, 7 and 8a must
come to something, and step 4 for one screenshot, or the judge abstains; the others are told as problems and done
without.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webassay.benchmarks.webtailbench import EVALUATOR
from webassay.core.digest import canonical_json
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Assertion, Status, Verdict
from webassay.errors import ConfigError
from webassay.judges.marked import Abstained
from webassay.judges.opinions import nothing_to_see
from webassay.judges.rubric import diagnosis, evidence, making, outcome, scoring
from webassay.judges.rubric.answers import Violation
from webassay.judges.rubric.case import Case, case_of
from webassay.judges.rubric.items import Item
from webassay.judges.rubric.payload import Judged, payload
from webassay.judges.rubric.questions import Clerk
from webassay.judges.shown import check_images, screenshots_of
from webassay.llm.asking import Asker, Hearing

VERSION = 2
DIGITS = 9
"""Of a share before it is compared: 2.4 of 3 points are 0.8."""
SUCCESS = ("outcome", "process", "both")
PROCESS = ("strict", "lenient")


@dataclass(frozen=True)
class Rubric:
    model: Mapping[str, Any]
    prompts: str
    images: Mapping[str, Any]
    llm: Mapping[str, Any]
    success: str = "outcome"
    process: str = "strict"
    threshold: float = 0.8
    votes: int = 1
    per_criterion: int = 5
    attempts: int = 3
    diagnose: bool = True
    agent_text: bool = True

    def __post_init__(self) -> None:
        if self.success not in SUCCESS or self.process not in PROCESS:
            known = f"{', '.join(SUCCESS)}; {', '.join(PROCESS)}"
            raise ConfigError(f"judge.success={self.success} judge.process={self.process}: unknown; known are {known}")
        if not 0 < self.threshold <= 1 or self.votes < 1 or self.votes % 2 == 0:
            raise ConfigError(
                f"judge.threshold={self.threshold:g} judge.votes={self.votes}: above 0 to 1, and an odd number"
            )
        if self.per_criterion < 1 or self.attempts < 1:
            raise ConfigError("judge.per_criterion and judge.attempts must be at least 1")
        check_images(self.images)
        self._asker  # noqa: B018  a mistake in the model's node is told when the judge is built

    @cached_property
    def _asker(self) -> Asker:
        return Asker(self.model, self.llm)

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        entry = next((entry for entry in task.eval if entry.get("evaluator") == EVALUATOR), {})
        case = case_of(task, trajectory, screenshots_of(trajectory).within(self.images), agent_text=self.agent_text)
        clerk = Clerk(Hearing(self._asker, f"task {task.task_id}"), self.prompts, self.attempts)
        try:
            if entry.get("refusal"):
                return self._refusal(clerk, case)
            if not case.shown.shots:
                return nothing_to_see(trajectory)
            given = making.precomputed(clerk, entry["rubric"]) if "rubric" in entry else None
            return self._verdict(clerk, self._judged(clerk, case, given))
        except Abstained as abstained:
            return _none(clerk, case, str(abstained))

    def _judged(self, clerk: Clerk, case: Case, given: tuple[Item, ...] | None) -> Judged:
        point = making.critical_point(clerk, case)
        items = given or making.generated(clerk, case)
        first = making.action_scores(clerk, case, items)
        found = evidence.gather(clerk, case, items, self.per_criterion)
        instances = scoring.score(clerk, case, items, found, first, self.votes)
        chosen = scoring.median(instances)
        scores = scoring.scores_told(chosen.scored)
        decided = outcome.outcome(clerk, case, scores, found, self.votes)
        crossed = outcome.violation(clerk, case, point)
        told = diagnosis.diagnose(clerk, case, scores, decided.outcome.reasoning) if self.diagnose else None
        return Judged(case, point, items, first, found, instances, chosen, decided, crossed, told)

    def _verdict(self, clerk: Clerk, judged: Judged) -> Verdict:
        aim = judged.decided.outcome
        share = judged.chosen.total.share(self.process)
        if share is None and (self.success == "process" or (self.success == "both" and aim.output_success)):
            return _none(clerk, judged.case, "no criterion counts, since no condition of the rubric holds")
        process = share is not None and round(share, DIGITS) >= self.threshold
        passed = {"outcome": aim.output_success, "process": process, "both": aim.output_success and process}
        won = passed[self.success]
        rule = {"success": self.success, "process": self.process}
        text = payload(judged, rule, {"success": won, "process": process}, clerk.problems)
        reason = "" if won else self._reason(judged, process)
        status: Status = "success" if won else "failure"
        return Verdict(
            float(won),
            status,
            reason,
            self._assertions(judged, process) + _problems(clerk),
            attribution=None if won else "agent",
            payload=text,
            **_kept(clerk),
        )

    def _reason(self, judged: Judged, process: bool) -> str:
        if not judged.decided.outcome.output_success and self.success != "process":
            return judged.decided.outcome.reasoning
        points = judged.chosen.total
        share = points.share(self.process) or 0.0
        return f"{share:.3f} of {points.most:g} points, fewer than {self.threshold:g}" if not process else ""

    def _assertions(self, judged: Judged, process: bool) -> tuple[Assertion, ...]:
        points = judged.chosen.total
        found = [
            Assertion(
                f"criterion.{number}",
                one.earned >= one.item.max_points if one.met else True,
                one.item.max_points,
                one.earned if one.met else None,
                evidence=", ".join(f"screenshot {shot}" for shot in one.cited),
                reason=one.justification,
            )
            for number, one in enumerate(judged.chosen.scored)
        ]
        share = {
            "strict": points.share("strict"),
            "lenient": points.share("lenient"),
            "unverifiable": points.unverifiable,
        }
        aim = judged.decided.outcome
        shown = judged.case.shown.told()
        return (
            *found,
            Assertion("process", process, self.threshold, share, evidence=shown),
            Assertion("outcome", aim.output_success, True, aim.output_success, evidence=shown, reason=aim.reasoning),
            *_crossed(judged.violation),
            *judged.decided.as_assertions(shown),
        )

    def _refusal(self, clerk: Clerk, case: Case) -> Verdict:
        """A task that should be declined has no rubric: one question, with votes."""
        decided = outcome.refusal(clerk, case, self.votes)
        told = decided.outcome
        record = Assertion("refusal", told.output_success, True, told.output_success, reason=told.reasoning)
        found = (record, *decided.as_assertions(case.shown.told()))
        said = {"verifier_reasoning": told.reasoning, "verifier_success": told.output_success}
        kept = {"payload": canonical_json(said).decode("utf-8", "replace"), **_kept(clerk)}
        if told.output_success:
            return Verdict(1.0, "success", "", found, **kept)
        return Verdict(0.0, "failure", told.reasoning, found, "agent", **kept)


def _none(clerk: Clerk, case: Case, reason: str) -> Verdict:
    """With all that was understood before, and which screenshots it was to rest on."""
    steps = (Assertion(f"step.{step}", True, actual=answer) for step, answer in clerk.answers.items())
    last = Assertion("verdict", False, evidence=case.shown.told(), reason=reason)
    found = (*steps, last, *_problems(clerk))
    return Verdict(None, "error", reason, found, attribution="harness", **_kept(clerk))


def _problems(clerk: Clerk) -> tuple[Assertion, ...]:
    return tuple(Assertion(f"problem.{n}", False, reason=problem) for n, problem in enumerate(clerk.problems))


def _crossed(violation: Violation | None) -> tuple[Assertion, ...]:
    """Told beside the verdict; by webeval's rules it is no part of the score."""
    if violation is None:
        return ()
    crossed = violation.cp_violation
    return (Assertion("critical_point", not crossed, False, crossed, reason=violation.reasoning),)


def _kept(clerk: Clerk) -> dict[str, Any]:
    return {"replies": tuple(clerk.hearing.keys), "usage": clerk.hearing.usage}
