"""Steps 2 to 5: which screenshots tell something about which criterion, what they tell, which conditions hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webassay.judges.marked import Abstained
from webassay.judges.rubric.answers import Conditions, Finding, Findings, Reality, Relevance
from webassay.judges.rubric.case import Case
from webassay.judges.rubric.items import Item, listed
from webassay.judges.rubric.questions import Check, Clerk
from webassay.judges.shown import Screenshots

WEAK, STRONG, APART = 5, 6, 2
"""Beside screenshots of 6 and more, those below 5 that are more than 2 worse than the weakest of these say nothing."""


@dataclass(frozen=True)
class Evidence:
    relevance: dict[int, list[int]]
    """By screenshot: of 0 to 10 for each criterion."""
    grouped: dict[int, list[int]]
    """By criterion: its screenshots, the best first."""
    findings: dict[int, list[tuple[int, Finding]]]
    """By criterion: each with its screenshot."""
    conditions: dict[int, bool]
    """By criterion that has one: whether it holds."""
    reality: list[str]

    @property
    def seen(self) -> set[int]:
        """The screenshots that were really looked at: nothing can rest on others."""
        return {number for found in self.findings.values() for number, _ in found}


def gather(clerk: Clerk, case: Case, items: Sequence[Item], per_criterion: int) -> Evidence:
    relevance = _relevance(clerk, case, items)
    grouped = group(relevance, len(items), per_criterion)
    findings = _findings(clerk, case, items, grouped)
    conditions = _conditions(clerk, case, items, findings)
    return Evidence(relevance, grouped, findings, conditions, _reality(clerk, case, items, findings))


def _relevance(clerk: Clerk, case: Case, items: Sequence[Item]) -> dict[int, list[int]]:
    """A screenshot without an answer is relevant to nothing, which is told."""
    material = {"task": case.task, "rubric": listed(items)}

    def check(answer: Relevance) -> None:
        if len(answer.scores) != len(items):
            raise ValueError(f"{len(answer.scores)} scores for {len(items)} criteria")

    questions = [
        clerk.question("relevance", material, Screenshots((shot,)), str(shot.number)) for shot in case.shown.shots
    ]
    answers = clerk.ask_all(questions, Relevance, [check] * len(questions))
    found = {}
    for shot, question, answer in zip(case.shown.shots, questions, answers, strict=True):
        if isinstance(answer, Abstained):
            clerk.tell(question.step, answer)
        found[shot.number] = [0] * len(items) if isinstance(answer, Abstained) else answer.scores
    return found


def group(relevance: Mapping[int, Sequence[int]], criteria: int, most: int) -> dict[int, list[int]]:
    """The best of each criterion, later ones first where they are equal; weak ones go where there are strong ones."""
    grouped = {}
    for criterion in range(criteria):
        ranked = sorted(relevance, key=lambda number: (relevance[number][criterion], number), reverse=True)[:most]
        strong = [relevance[number][criterion] for number in ranked if relevance[number][criterion] >= STRONG]
        grouped[criterion] = [
            number
            for number in ranked
            if not strong or relevance[number][criterion] >= WEAK or min(strong) - relevance[number][criterion] <= APART
        ]
    return grouped


def _findings(
    clerk: Clerk, case: Case, items: Sequence[Item], grouped: Mapping[int, Sequence[int]]
) -> dict[int, list[tuple[int, Finding]]]:
    """One question for each screenshot, about all criteria that it is relevant to; Abstained where none is answered."""
    wanted = {
        shot.number: [criterion for criterion in grouped if shot.number in grouped[criterion]]
        for shot in case.shown.shots
    }
    shots = [shot for shot in case.shown.shots if wanted[shot.number]]
    questions = [
        clerk.question(
            "evidence",
            case.told | {"rubric": listed(items), "criteria": ", ".join(map(str, wanted[shot.number]))},
            Screenshots((shot,)),
            str(shot.number),
        )
        for shot in shots
    ]
    checks = [_check_findings(wanted[shot.number], items) for shot in shots]
    found: dict[int, list[tuple[int, Finding]]] = {criterion: [] for criterion in grouped}
    answers = clerk.ask_all(questions, Findings, checks)
    failed = [answer for answer in answers if isinstance(answer, Abstained)]
    if len(failed) == len(answers):
        raise failed[0]
    for shot, question, answer in zip(shots, questions, answers, strict=True):
        if isinstance(answer, Abstained):
            clerk.tell(question.step, answer)
            continue
        for finding in answer.findings:
            found[finding.criterion].append((shot.number, finding))
    return found


def _check_findings(wanted: Sequence[int], items: Sequence[Item]) -> Check:
    def check(answer: Findings) -> None:
        given = [finding.criterion for finding in answer.findings]
        if sorted(given) != sorted(wanted):
            raise ValueError(f"findings for criteria {given}, asked for {list(wanted)}")
        for finding in answer.findings:
            if items[finding.criterion].condition and finding.condition_verification is None:
                raise ValueError(f"criterion {finding.criterion} has a condition: condition_verification is missing")

    return check


def _conditions(
    clerk: Clerk, case: Case, items: Sequence[Item], findings: Mapping[int, Sequence[tuple[int, Finding]]]
) -> dict[int, bool]:
    """A single condition holds where any screenshot shows it; several may exclude each other and are asked about."""
    conditional = [number for number, item in enumerate(items) if item.condition]
    shown = {number: any(found.condition_verification for _, found in findings[number]) for number in conditional}
    if len(conditional) < 2:
        return shown

    def check(answer: Conditions) -> None:
        if sorted(one.criterion for one in answer.conditions) != conditional:
            raise ValueError(f"conditions of criteria {conditional} were asked for")

    material = case.told | {"rubric": listed(items), "evidence": told(findings)}
    answer = clerk.optional(clerk.question("conditions", material), Conditions, check)
    return {one.criterion: one.is_condition_met for one in answer.conditions} if answer else shown


def _reality(
    clerk: Clerk, case: Case, items: Sequence[Item], findings: Mapping[int, Sequence[tuple[int, Finding]]]
) -> list[str]:
    def check(answer: Reality) -> None:
        if len(answer.notes) != len(items):
            raise ValueError(f"{len(answer.notes)} notes for {len(items)} criteria")

    material = case.told | {"rubric": listed(items), "evidence": told(findings)}
    answer = clerk.optional(clerk.question("reality", material), Reality, check)
    return answer.notes if answer else [""] * len(items)


def told(findings: Mapping[int, Sequence[tuple[int, Finding]]]) -> str:
    """Everything that was found, for questions that show no pictures."""
    lines = []
    for criterion, found in findings.items():
        lines.append(f"Criterion {criterion}:" + ("" if found else " no screenshot tells anything"))
        for number, finding in found:
            lines.append(f"- screenshot {number}: {finding.screenshot_evidence} | {finding.criterion_analysis}")
            lines += [f"  contradicts: {finding.discrepancies}"] if finding.discrepancies else []
            lines += ["  the site itself stood in the way"] if finding.environment_issues_confirmed else []
    return "\n".join(lines)
