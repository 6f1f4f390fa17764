"""Steps 6 and 7, as often as there are votes: points for every criterion, penalties for side effects; the median."""

from collections.abc import Sequence
from dataclasses import dataclass

from webassay.judges.marked import Abstained
from webassay.judges.rubric.answers import ActionScores, Rescoring, SideEffects
from webassay.judges.rubric.case import Case
from webassay.judges.rubric.evidence import Evidence, told
from webassay.judges.rubric.items import Item, Scored, Total, listed, total
from webassay.judges.rubric.making import check_points
from webassay.judges.rubric.questions import Clerk


@dataclass(frozen=True)
class Instance:
    """One scoring of all criteria."""

    vote: int
    scored: tuple[Scored, ...]
    side_effects: SideEffects

    @property
    def total(self) -> Total:
        return total(self.scored)


def score(
    clerk: Clerk,
    case: Case,
    items: Sequence[Item],
    evidence: Evidence,
    first: ActionScores | None,
    votes: int,
) -> list[Instance]:
    """All that came to an end; Abstained where these are not the greater part."""
    done, failed = [], []
    for vote in range(votes):
        try:
            done.append(_instance(clerk, case, items, evidence, first, vote))
        except Abstained as abstained:
            clerk.tell(f"scoring {vote}", abstained)
            failed.append(abstained)
    if 2 * len(done) <= votes:
        raise failed[0]
    return done


def median(instances: Sequence[Instance]) -> Instance:
    """By the strict share, whatever the rule, since later questions build on it; of two in the middle the lower."""
    ranked = sorted(instances, key=lambda one: (one.total.share("strict") or 0.0, one.vote))
    return ranked[(len(ranked) - 1) // 2]


def _instance(
    clerk: Clerk, case: Case, items: Sequence[Item], evidence: Evidence, first: ActionScores | None, vote: int
) -> Instance:
    met = [evidence.conditions.get(number, True) for number in range(len(items))]
    scored = _rescored(clerk, case, items, evidence, first, met, vote)
    material = case.told | {"rubric": listed(items), "scores": scores_told(scored)}
    effects = clerk.ask(clerk.question("side_effects", material), SideEffects, _check_side_effects, vote)
    if not effects.requires_penalty:
        return Instance(vote, scored, effects)
    penalties = [
        Scored(
            Item(one.criterion, one.description, one.max_points), 0.0, True, True, effects.reasoning, "", penalty=True
        )
        for one in effects.penalty_criteria
    ]
    return Instance(vote, (*scored, *penalties), effects)


def _rescored(
    clerk: Clerk,
    case: Case,
    items: Sequence[Item],
    evidence: Evidence,
    first: ActionScores | None,
    met: Sequence[bool],
    vote: int,
) -> tuple[Scored, ...]:
    """Criteria whose condition does not hold earn nothing and cost nothing, whatever the model says of them.

    Points for which no screenshot is cited cannot be verified.
    """

    def check(answer: Rescoring) -> None:
        if len(answer.items) != len(items):
            raise ValueError(f"{len(answer.items)} scores for {len(items)} criteria")
        for number, (said, item) in enumerate(zip(answer.items, items, strict=True)):
            check_points(number, said.post_image_earned_points, item)
            if unknown := set(said.evidence) - evidence.seen:
                raise ValueError(f"criterion {number} cites screenshot {min(unknown)}, which nobody looked at")

    material = case.told | {
        "rubric": listed(items),
        "evidence": told(evidence.findings),
        "what the site offered": "\n".join(f"{n}. {note}" for n, note in enumerate(evidence.reality) if note),
        "conditions": "\n".join(
            f"{n}: {'holds' if held else 'does not hold'}" for n, held in evidence.conditions.items()
        ),
        "first scores": _first(first),
    }
    answer = clerk.ask(clerk.question("rescore", material), Rescoring, check, vote)
    return tuple(
        Scored(
            item,
            said.post_image_earned_points if held else 0.0,
            said.verifiable and (bool(said.evidence) or not said.post_image_earned_points),
            held,
            said.post_image_justification,
            said.applicable_evidence,
            said.evidence,
        )
        for item, said, held in zip(items, answer.items, met, strict=True)
    )


def _check_side_effects(answer: SideEffects) -> None:
    if answer.requires_penalty and not answer.penalty_criteria:
        raise ValueError("a penalty is required and none is given")


def _first(first: ActionScores | None) -> str:
    if first is None:
        return ""
    return "\n".join(f"{n}. {one.earned_points:g}: {one.justification}" for n, one in enumerate(first.items))


def scores_told(scored: Sequence[Scored]) -> str:
    lines = []
    for number, one in enumerate(scored):
        what = (
            f"{one.earned:g} of {one.item.max_points:g}" if one.met else "does not count, its condition does not hold"
        )
        doubt = "" if one.verifiable else " (cannot be verified)"
        lines.append(f"{number}. {one.item.criterion}: {what}{doubt}. {one.justification}")
    return "\n".join(lines)
