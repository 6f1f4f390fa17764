"""`gpt_response_text` of WebTailBench: one JSON object, key for key what webeval's readers look for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from webassay.core.digest import canonical_json
from webassay.judges.rubric.answers import ActionScores, CriticalPoint, Violation
from webassay.judges.rubric.case import Case
from webassay.judges.rubric.diagnosis import Diagnosis
from webassay.judges.rubric.evidence import Evidence
from webassay.judges.rubric.items import Item, Scored
from webassay.judges.rubric.outcome import Decided
from webassay.judges.rubric.scoring import Instance


@dataclass(frozen=True)
class Judged:
    """All that the steps came to."""

    case: Case
    point: CriticalPoint | None
    items: tuple[Item, ...]
    first: ActionScores | None
    evidence: Evidence
    instances: Sequence[Instance]
    chosen: Instance
    """The median."""
    decided: Decided
    violation: Violation | None
    diagnosis: Diagnosis | None


def payload(judged: Judged, rule: dict[str, Any], passed: dict[str, bool], problems: Sequence[str]) -> str:
    """Without times and in a fixed order, so that a replay gives the same bytes."""
    outcome = judged.decided.outcome
    points = judged.chosen.total
    told = {
        "is_success": passed["success"],
        "success_criterion": rule["success"],
        "final_answer": judged.case.answer,
        "outcome_success": outcome.output_success,
        "outcome_reasoning": outcome.reasoning,
        "outcome_primary_intent": outcome.primary_intent,
        "rubric_is_success": int(passed["process"]),
        "rubric_items": [item_record(one) for one in judged.chosen.scored],
        "rubric_total_max_points": points.most,
        "rubric_total_earned_points": points.lenient if rule["process"] == "lenient" else points.earned,
        "rubric_process": {
            "rule": rule["process"],
            "strict": points.share("strict"),
            "lenient": points.share("lenient"),
            "unverifiable_criteria": points.unverifiable,
        },
        "rubric_outcome_verification": _outcome(judged),
        "rubric_intermediate_mm_rubric_steps": _steps(judged),
        "rubric_majority_vote_metadata": _votes(judged, rule["process"]),
        "rubric_all_rubric_dicts": [[item_record(one) for one in each.scored] for each in judged.instances],
        "rubric_all_scores_list": [each.total.share(rule["process"]) for each in judged.instances],
        "rubric_problems": list(problems),
    }
    if judged.point:
        told["rubric_cp_classification"] = msgspec.to_builtins(judged.point)
    if judged.diagnosis:
        told["rubric_first_point_of_failure"] = judged.diagnosis.first_point_of_failure
        told["rubric_task_verification_with_trajectory"] = judged.diagnosis.with_trajectory
        told["rubric_task_verification"] = judged.diagnosis.task_alone
    return canonical_json(told).decode("utf-8", "replace")


def item_record(one: Scored) -> dict[str, Any]:
    condition = {"condition": one.item.condition, "is_condition_met": one.met} if one.item.condition else {}
    return {
        "criterion": one.item.criterion,
        **condition,
        "description": one.item.description,
        "max_points": one.item.max_points,
        "applicable_evidence": one.applicable_evidence,
        "post_image_justification": one.justification,
        "post_image_earned_points": one.earned,
        "verifiable": one.verifiable,
        "evidence": list(one.cited),
        **({"penalty": True} if one.penalty else {}),
    }


def _outcome(judged: Judged) -> dict[str, Any]:
    told = msgspec.to_builtins(judged.decided.outcome)
    if judged.point:
        told["cp_type_used"] = judged.point.critical_point_type
    if judged.violation:
        told |= {"cp_violation": judged.violation.cp_violation, "cp_violation_reasoning": judged.violation.reasoning}
    return dict(told)


def _steps(judged: Judged) -> dict[str, Any]:
    """Screenshots are counted from 0 here, as webeval does."""
    evidence = judged.evidence
    told = {
        "step1_num_screenshots": len(judged.case.shown.shots),
        "step2_relevance_scores": {
            f"screenshot_{number - 1}": {str(n): score for n, score in enumerate(scores)}
            | {"screenshot_idx": number - 1}
            for number, scores in evidence.relevance.items()
        },
        "step3_grouped_screenshots": {
            str(criterion): [number - 1 for number in numbers] for criterion, numbers in evidence.grouped.items()
        },
        "step4_evidence_by_criterion": {
            str(criterion): [msgspec.to_builtins(found) | {"screenshot_idx": number - 1} for number, found in each]
            for criterion, each in evidence.findings.items()
        },
        "step5_reality_check": {str(n): note for n, note in enumerate(evidence.reality)},
        "step6_rescoring_summary": [each.total.share("strict") for each in judged.instances],
        "step7_side_effects": msgspec.to_builtins(judged.chosen.side_effects),
        "step8_outcome_verification": msgspec.to_builtins(judged.decided.outcome),
        "majority_vote_step8": judged.decided.votes,
    }
    if len(evidence.conditions) > 1:
        told["step4_5_disambiguation"] = {str(number): met for number, met in evidence.conditions.items()}
    if judged.first:
        told["step0_action_only_scores"] = msgspec.to_builtins(judged.first.items)
    if judged.violation:
        told["step8_cp_violation_check"] = msgspec.to_builtins(judged.violation)
    return told


def _votes(judged: Judged, how: str) -> dict[str, Any]:
    scores = [each.total.share(how) for each in judged.instances]
    return {
        "n_instances": len(judged.instances),
        "median_instance_idx": judged.instances.index(judged.chosen),
        "all_scores": scores,
        "median_score": judged.chosen.total.share(how),
        "outcome_votes": judged.decided.votes,
        "majority_output_success": judged.decided.outcome.output_success,
    }
