"""Steps -1 to 0c: critical point, the rubric (the task's own, or generated), a first score by the actions alone."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from webassay.judges.rubric.answers import ActionScores, CriticalPoint, Dependencies, Generated
from webassay.judges.rubric.case import Case
from webassay.judges.rubric.items import Item, listed, read_rubric
from webassay.judges.rubric.questions import Clerk

SIMILAR = 0.7
"""Of a criterion's text that is repeated in an answer, so that scores and criteria are not mixed up."""


def critical_point(clerk: Clerk, case: Case) -> CriticalPoint | None:
    return clerk.optional(clerk.question("critical_point", {"task": case.task}), CriticalPoint)


def precomputed(clerk: Clerk, raw: object) -> tuple[Item, ...] | None:
    """None, and a problem on the list, where the task's own rubric cannot be used: one is generated then."""
    try:
        return read_rubric(raw)
    except ValueError as error:
        clerk.problems.append(f"the task's rubric cannot be used, so one was generated: {error}")
        return None


def generated(clerk: Clerk, case: Case) -> tuple[Item, ...]:
    """Two questions: criteria, and whether they hang together in ways that would count one thing twice."""
    first = clerk.ask(
        clerk.question("rubric", {"task": case.task}), Generated, lambda made: read_rubric({"items": made.items})
    )
    items = read_rubric({"items": first.items})
    again = clerk.ask(
        clerk.question("dependencies", {"task": case.task, "rubric": listed(items)}), Dependencies, _check_reformulated
    )
    return read_rubric({"items": again.items}) if again.needs_reformulation else items


def _check_reformulated(answer: Dependencies) -> None:
    if answer.needs_reformulation:
        read_rubric({"items": answer.items})


def action_scores(clerk: Clerk, case: Case, items: Sequence[Item]) -> ActionScores | None:
    def check(answer: ActionScores) -> None:
        if len(answer.items) != len(items):
            raise ValueError(f"{len(answer.items)} scores for {len(items)} criteria")
        for number, (said, item) in enumerate(zip(answer.items, items, strict=True)):
            if SequenceMatcher(None, said.criterion, item.criterion).ratio() < SIMILAR:
                raise ValueError(f"criterion {number} is {item.criterion!r}, not {said.criterion!r}")
            check_points(number, said.earned_points, item)

    return clerk.optional(clerk.question("action_scores", case.told | {"rubric": listed(items)}), ActionScores, check)


def check_points(number: int, points: float, item: Item) -> None:
    if not 0 <= points <= item.max_points:
        raise ValueError(f"criterion {number}: {points:g} points, of 0 to {item.max_points:g}")
