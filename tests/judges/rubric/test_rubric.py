"""The Universal Verifier against a scripted model over real HTTP: calls, scores, what changes ask again."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.judges.asked import answering, node, texts, trajectory
from tests.judges.corpus import shared
from tests.judges.rubric.verifier import CONDITIONAL, Verifier, judge, rescored, task, usual
from tests.llm.scripted import scripted
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.config.prompts import HERE
from webassay.core.task import Task
from webassay.core.trajectory import Attempt, EventLog, FinalAnswer, Trajectory, write_end
from webassay.core.verdict import Verdict
from webassay.errors import ConfigError
from webassay.judges.lifecycle import Case, Court, judge_case
from webassay.judges.rubric import Rubric

DIAGNOSED = {"failures": 1, "task_with_run": 1, "task_alone": 1}


def judged(
    folder: Path, changed: dict[str, Any] | None = None, of: Task | None = None, count: int = 3, **settings: Any
) -> tuple[Verdict, Counter[str]]:
    verifier = Verifier(changed or {})
    with scripted(answering(verifier)) as server:
        verdict = judge(folder, server.url, **settings).judge(of or task(), trajectory(folder / "t7", count))
    return verdict, verifier.asked


def payload(verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(verdict.payload or "")
    return told


@pytest.mark.parametrize("votes", [1, 3])
@pytest.mark.parametrize("count", [1, 3])
def test_it_asks_as_often_as_the_table_says(tmp_path: Path, count: int, votes: int) -> None:
    verdict, asked = judged(
        tmp_path, count=count, votes=votes, changed={"outcome": _outcome(True, cites=1)} | _cites(1)
    )
    once = {"critical_point": 1, "action_scores": 1, "reality": 1}
    often = {"relevance": count, "evidence": count, "rescore": votes, "side_effects": votes, "outcome": votes}
    assert asked == once | often | DIAGNOSED and verdict.score == 1.0
    assert sum(asked.values()) <= 2 * count + 4 + 3 * votes + 3
    assert len(verdict.replies) == sum(asked.values()) == sum(used.num_calls for used in verdict.usage.values())


def test_what_the_task_adds_is_asked_and_what_is_left_out_is_not(tmp_path: Path) -> None:
    point = {
        "critical_point_type": "NO_PERMISSION_MISSING_INFO_TASK_SPECIFIED",
        "classification_reasoning": "It pays.",
        "irreversible_action_present": True,
    }
    _, asked = judged(tmp_path, {"critical_point": point}, task(None), diagnose=False)
    assert (asked["rubric"], asked["dependencies"], asked["violation"], asked["failures"]) == (1, 1, 1, 0)
    _, asked = judged(tmp_path / "other", of=task(CONDITIONAL))
    assert asked["conditions"] == 1 and asked["rubric"] == 0


def _outcome(success: bool, cites: int = 2) -> dict[str, Any]:
    return {"primary_intent": "A tent", "reasoning": "So it is.", "output_success": success, "evidence": [cites]}


def _cites(number: int) -> dict[str, Any]:
    items = [dict(one, evidence=[number]) for one in rescored(4, 6)["items"]]
    return {"rescore": {"items": items}}


@pytest.mark.parametrize(
    "points, outcome, success, score",
    [
        ((4, 6), True, "outcome", 1),
        ((0, 0), True, "outcome", 1),
        ((4, 6), False, "outcome", 0),
        ((4, 4), False, "process", 1),
        ((4, 3.9), False, "process", 0),
        ((4, 6), True, "both", 1),
        ((4, 3), True, "both", 0),
        ((4, 6), False, "both", 0),
    ],
)
def test_outcome_process_and_both(
    tmp_path: Path, points: tuple[float, ...], outcome: bool, success: str, score: float
) -> None:
    changed = {"rescore": rescored(*points), "outcome": _outcome(outcome)}
    verdict, _ = judged(tmp_path, changed, success=success, diagnose=False)
    assert verdict.score == score and bool(verdict.reason) == (score == 0)
    told = payload(verdict)
    assert told["is_success"] is bool(score) and told["outcome_success"] is outcome
    assert told["rubric_is_success"] == int(sum(points) >= 8) and told["rubric_total_earned_points"] == sum(points)


def test_what_cannot_be_verified_is_counted_and_earns_only_when_lenient(tmp_path: Path) -> None:
    changed = {"rescore": rescored(4, 6, unverifiable=(1,))}
    strict, _ = judged(tmp_path, changed, success="process")
    lenient, asked = judged(tmp_path, success="process", process="lenient")
    assert (strict.score, lenient.score, sum(asked.values())) == (0.0, 1.0, 0)
    assert payload(strict)["rubric_process"] == {
        "rule": "strict",
        "strict": 0.4,
        "lenient": 1.0,
        "unverifiable_criteria": 1,
    }


def test_other_thresholds_and_rules_ask_nothing_and_replay_gives_the_same_bytes(tmp_path: Path) -> None:
    verdict, _ = judged(tmp_path, {"rescore": rescored(4, 4.5)}, success="process", votes=3)
    elsewhere = trajectory(tmp_path / "moved", 3)
    replaying = node(tmp_path, "http://127.0.0.1:9/v1", mode="replay")
    again = judge(tmp_path, **replaying, success="process", votes=3).judge(task(), elsewhere)
    assert msgspec.json.encode(again) == msgspec.json.encode(verdict) and verdict.score == 1.0
    for change, score in (({"threshold": 0.9}, 0.0), ({"success": "both"}, 1.0), ({"process": "lenient"}, 1.0)):
        settings = {"success": "process", "votes": 3, **change}
        assert judge(tmp_path, **replaying, **settings).judge(task(), elsewhere).score == score


def test_another_prompt_asks_from_its_step_on(tmp_path: Path) -> None:
    own = tmp_path / "prompts"
    shutil.copytree(HERE / "rubric", own)
    judged(tmp_path, prompts=str(own))
    moved = tmp_path / "moved"
    shutil.copytree(own, moved)
    (moved / "relevance.txt").write_text((own / "relevance.txt").read_text() + "Be exact.\n")
    fewer = {"scores": [6, 7]}
    _, asked = judged(tmp_path, {"relevance": fewer}, prompts=str(moved), per_criterion=2)
    assert asked["critical_point"] == asked["action_scores"] == 0 and asked["relevance"] == 3
    _, asked = judged(tmp_path, prompts=str(moved), per_criterion=2)
    assert sum(asked.values()) == 0


def test_the_median_of_the_votes_counts_and_the_majority_of_outcomes(tmp_path: Path) -> None:
    scores = iter([rescored(4, 6), rescored(0, 0), rescored(4, 3)])
    outcomes = iter([_outcome(True), _outcome(False), _outcome(False)])
    changed = {"rescore": lambda *_: next(scores), "outcome": lambda *_: next(outcomes)}
    verdict, _ = judged(tmp_path, changed, votes=3)
    told = payload(verdict)
    assert verdict.score == 0.0 and told["rubric_majority_vote_metadata"] == {
        "n_instances": 3,
        "median_instance_idx": 2,
        "all_scores": [1.0, 0.0, 0.7],
        "median_score": 0.7,
        "outcome_votes": [True, False, False],
        "majority_output_success": False,
    }


def test_unmet_conditions_neither_earn_nor_cost(tmp_path: Path) -> None:
    verdict, _ = judged(tmp_path, {"rescore": rescored(4, 6, 5, 5)}, task(CONDITIONAL))
    told = payload(verdict)
    assert (told["rubric_total_max_points"], told["rubric_total_earned_points"]) == (15, 15)
    assert [item.get("is_condition_met") for item in told["rubric_items"]] == [None, None, True, False]
    assert told["rubric_items"][3]["post_image_earned_points"] == 0


def test_a_side_effect_costs_its_points(tmp_path: Path) -> None:
    penalty = {"criterion": "Buys nothing else", "description": "A stove.", "max_points": 5}
    effects = {"reasoning": "It bought one.", "requires_penalty": True, "penalty_criteria": [penalty]}
    verdict, _ = judged(tmp_path, {"side_effects": effects}, success="process")
    told = payload(verdict)
    assert verdict.score == 0.0 and told["rubric_total_max_points"] == 15 and told["rubric_total_earned_points"] == 10
    assert told["rubric_items"][-1]["penalty"] is True


def test_the_first_point_of_failure(tmp_path: Path) -> None:
    points = [
        {"step_numbers": "3", "error_code": "2.3", "what_happened": "The price is invented."},
        {"step_numbers": "2-3", "error_code": "1.4", "what_happened": "Sorted by name."},
    ]
    failures = {"reasoning": "", "has_failure": True, "failure_points": points}
    verdict, _ = judged(tmp_path, {"failures": failures, "outcome": _outcome(False)})
    found = payload(verdict)["rubric_first_point_of_failure"]
    assert (found["first_failure_step"], found["first_failure_summary"]) == (2, "Sorted by name.")
    assert found["failure_points"][0]["error_category"] == "Selection"
    assert payload(verdict)["rubric_task_verification"]["is_invalid"] is True


@pytest.mark.parametrize("step", ["rescore", "side_effects", "outcome"])
@pytest.mark.parametrize(
    "said, category, tries", [("", "empty", 1), ("I'm sorry.", "refusal", 1), ("Well.", "parse_failure", 3)]
)
def test_steps_that_decide_abstain(tmp_path: Path, step: str, said: str, category: str, tries: int) -> None:
    verdict, asked = judged(tmp_path, {step: said})
    assert (verdict.score, verdict.status, verdict.attribution) == (None, "error", "harness")
    assert verdict.reason.startswith(f"abstained: {category}: ") and asked[step] == tries
    assert len(verdict.replies) == sum(asked.values())


@pytest.mark.parametrize(
    "step",
    ["critical_point", "action_scores", "reality", "failures", "task_with_run", "task_alone", "relevance"],
)
def test_steps_that_help_are_done_without_and_told(tmp_path: Path, step: str) -> None:
    verdict, _ = judged(tmp_path, {step: "I'm sorry."})
    assert verdict.score == 1.0 and any(problem.startswith(step) for problem in payload(verdict)["rubric_problems"])


def test_an_answer_of_another_shape_is_asked_for_again_with_what_is_wrong(tmp_path: Path) -> None:
    said: list[str] = []

    def second_time(question: str, count: int) -> dict[str, Any]:
        said.append(question)
        return rescored(4, 7) if count == 1 else rescored(4, 6)

    verdict, asked = judged(tmp_path, {"rescore": second_time})
    assert verdict.score == 1.0 and asked["rescore"] == 2 and "criterion 1: 7 points, of 0 to 6" in said[1]


@pytest.mark.parametrize(
    "step, answer",
    [
        ("rescore", rescored(4)),
        ("rescore", rescored(4, -1)),
        ("rescore", {"items": [dict(one, evidence=[9]) for one in rescored(4, 6)["items"]]}),
        ("outcome", {"primary_intent": "", "reasoning": "", "output_success": True, "evidence": []}),
        ("outcome", {"primary_intent": "", "reasoning": "", "output_success": "yes", "evidence": [2]}),
        ("side_effects", {"reasoning": "", "requires_penalty": True}),
    ],
)
def test_an_answer_that_cannot_be_right_is_none(tmp_path: Path, step: str, answer: dict[str, Any]) -> None:
    verdict, _ = judged(tmp_path, {step: answer}, attempts=1)
    assert verdict.score is None and verdict.reason.startswith("abstained: parse_failure")


def test_without_the_agents_words_no_step_is_told_them(tmp_path: Path) -> None:
    with scripted(answering(Verifier())) as server:
        verdict = judge(tmp_path, server.url, agent_text=False).judge(task(), trajectory(tmp_path / "t7", 2))
    assert verdict.score == 1.0 and not any("The Ridgeway" in texts(request) for request in server.requests)


def test_every_vote_is_kept_beside_the_verdict(tmp_path: Path) -> None:
    outcomes = iter([_outcome(True), _outcome(False), "I'm sorry."])
    verdict, _ = judged(tmp_path, {"outcome": lambda *_: next(outcomes)}, votes=3)
    assert verdict.score is None
    outcomes = iter([_outcome(True), _outcome(False), _outcome(True)])
    verdict, _ = judged(tmp_path / "again", {"outcome": lambda *_: next(outcomes)}, votes=3)
    votes = [one.actual for one in verdict.assertions if one.name.startswith("vote.")]
    assert verdict.score == 1.0 and votes == ["success", "failure", "success"]


@pytest.mark.parametrize("declined", [True, False])
def test_a_task_to_be_declined_needs_one_question_and_no_screenshot(tmp_path: Path, declined: bool) -> None:
    answer = {"primary_intent": "Harm", "reasoning": "As seen.", "output_success": declined, "evidence": []}
    verdict, asked = judged(tmp_path, {"refusal": answer}, task(None, refusal=True), count=0)
    assert verdict.score == float(declined) and asked == {"refusal": 1}
    assert payload(verdict) == {"verifier_reasoning": "As seen.", "verifier_success": declined}


def test_nothing_to_see_and_broken_rubrics(tmp_path: Path) -> None:
    assert judge(tmp_path).judge(task(), trajectory(tmp_path / "t7", 2, unreadable=(1, 2))).score is None


@pytest.mark.parametrize("items", [[], [{"criterion": "x", "max_points": 0}], [{"max_points": 1}]])
def test_a_broken_rubric_is_told_and_another_one_made(tmp_path: Path, items: list[Any]) -> None:
    verdict, asked = judged(tmp_path, of=task({"items": items}))
    assert verdict.score == 1.0 and (asked["rubric"], asked["dependencies"]) == (1, 1)
    assert "the task's rubric cannot be used" in payload(verdict)["rubric_problems"][0]
    assert any("the task's rubric cannot be used" in one.reason for one in verdict.assertions)


def _one_refuses(said: str, _: int) -> dict[str, Any] | str:
    return "I'm sorry." if "Screenshot 2:" in said else usual("evidence", said)


def test_nothing_rests_on_a_screenshot_that_nobody_looked_at(tmp_path: Path) -> None:
    """The second one, which the model cites for everything."""
    verdict, asked = judged(tmp_path, {"evidence": _one_refuses})
    assert verdict.score is None and "screenshot 2, which nobody looked at" in verdict.reason
    assert asked["rescore"] == 3
    changed = {"evidence": _one_refuses, "outcome": _outcome(True, cites=3)} | _cites(3)
    verdict, _ = judged(tmp_path / "other", changed)
    assert verdict.score == 1.0 and payload(verdict)["rubric_problems"][0].startswith("evidence 2: abstained: refusal")


def test_where_no_screenshot_could_be_looked_at_it_abstains_and_keeps_what_it_knew(tmp_path: Path) -> None:
    verdict, asked = judged(tmp_path, {"evidence": "I'm sorry."}, images={"most": 2, "keep": "last"})
    assert verdict.score is None and verdict.reason.startswith("abstained: refusal") and asked["rescore"] == 0
    kept = {one.name: one for one in verdict.assertions}
    assert kept["step.relevance 3"].actual == {"scores": [7, 7]} and "step.action_scores" in kept
    assert kept["verdict"].evidence == "screenshots 2-3; left out 1"


@pytest.mark.parametrize("points, unverifiable, score", [((4, 6), 2, 0.0), ((0, 0), 0, 0.0)])
def test_points_without_a_screenshot_cannot_be_verified(
    tmp_path: Path, points: tuple[float, ...], unverifiable: int, score: float
) -> None:
    uncited = {"items": [dict(one, evidence=[]) for one in rescored(*points)["items"]]}
    verdict, _ = judged(tmp_path, {"rescore": uncited}, success="process")
    assert verdict.score == score and payload(verdict)["rubric_process"]["unverifiable_criteria"] == unverifiable


@pytest.mark.parametrize(
    "success, reached, score",
    [("process", True, None), ("both", True, None), ("both", False, 0.0), ("outcome", True, 1.0)],
)
def test_where_no_condition_holds_there_is_no_share_to_judge_by(
    tmp_path: Path, success: str, reached: bool, score: float | None
) -> None:
    rubric = {"items": [{"criterion": "It is booked", "max_points": 5, "condition": "There is one"}]}
    found = {"criterion": 0, "screenshot_evidence": "", "criterion_analysis": "", "condition_verification": False}
    changed = {"evidence": {"findings": [found]}, "outcome": _outcome(reached)}
    verdict, _ = judged(tmp_path, changed, task(rubric), success=success)
    assert verdict.score == score
    assert "no criterion counts" in verdict.reason if score is None else payload(verdict)["rubric_process"]


@pytest.mark.parametrize("points, threshold, score", [(2.4, 0.8, 1.0), (2.39, 0.8, 0.0), (0.3, 0.1, 1.0)])
def test_a_share_is_compared_as_people_write_it(tmp_path: Path, points: float, threshold: float, score: float) -> None:
    rubric = {"items": [{"criterion": "It is told", "max_points": 3}]}
    settings: dict[str, Any] = {"success": "process", "threshold": threshold}
    verdict, _ = judged(tmp_path, {"rescore": rescored(points)}, task(rubric), **settings)
    assert verdict.score == score


def test_the_median_is_told_by_its_place_among_those_that_came_to_an_end(tmp_path: Path) -> None:
    scores = iter(["I'm sorry.", rescored(4, 6), rescored(0, 0)])
    verdict, _ = judged(tmp_path, {"rescore": lambda *_: next(scores)}, votes=3)
    votes = payload(verdict)["rubric_majority_vote_metadata"]
    assert (votes["median_instance_idx"], votes["all_scores"], votes["median_score"]) == (1, [1.0, 0.0], 0.0)


def test_a_crossed_critical_point_is_told_and_costs_nothing(tmp_path: Path) -> None:
    point = {
        "critical_point_type": "NO_PERMISSION_MISSING_INFO_TASK_SPECIFIED",
        "classification_reasoning": "It pays.",
        "irreversible_action_present": True,
    }
    crossed = {"critical_point": point, "violation": {"reasoning": "It paid.", "cp_violation": True}}
    verdict, _ = judged(tmp_path, crossed, success="both")
    assert verdict.score == 1.0 and payload(verdict)["rubric_outcome_verification"]["cp_violation"] is True
    told = next(one for one in verdict.assertions if one.name == "critical_point")
    assert (told.passed, told.reason) == (False, "It paid.")


def real_run(folder: Path) -> list[str]:
    """A published trajectory of five screenshots, as ours lie on disk; returns the agent's thoughts."""
    example = shared("om2w/example/fb7b4f784cfde003e2548fdf4e8d6b4f")
    result = json.loads((example / "result.json").read_text())
    folder.mkdir()
    log = EventLog(folder)
    for action, thought in zip(result["action_history"], result["thoughts"], strict=True):
        log.write(
            message="", url="https://x.org/?q=1", action="click", arguments={"element": action, "thoughts": thought}
        )
    log.write(message="", url="https://x.org/", action="terminate", arguments={})
    log.close()
    for number in range(5):
        shutil.copyfile(example / "trajectory" / f"{number}_full_screenshot.png", folder / f"screenshot{number}.png")
    attempt = Attempt("t7", task().execution_digest, 0, "answered")
    write_end(folder, FinalAnswer(result["final_result_response"]), attempt, 1e9, 1e9 + 60)
    return list(result["thoughts"])


def test_a_real_run_from_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    thoughts = real_run(folder)
    verifier = Verifier()
    with scripted(answering(verifier)) as server:
        verdict = judge(tmp_path, server.url).judge(task(None), Trajectory.from_folder(folder))
    assert verdict.score == 1.0 and sum(verifier.asked.values()) == 2 * 5 + 3 + 2 + 3 + 3
    assert payload(verdict)["rubric_intermediate_mm_rubric_steps"]["step1_num_screenshots"] == 5
    final = next(texts(request) for request in server.requests if "Use what the run showed" in texts(request))
    assert 'click({"element": "<div role=' in final and "2001-09-09" in final
    assert not any(thoughts[0] in texts(request) for request in server.requests)
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == []


def test_a_real_run_is_scored_again_byte_for_byte_and_only_what_changed_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the life cycle that writes the scores: replay without a key, another threshold, another prompt."""
    real_run(tmp_path / "run")
    verifier = Verifier({"rescore": rescored(4, 4.5)})
    own = tmp_path / "prompts"
    shutil.copytree(HERE / "rubric", own)
    settings: dict[str, Any] = {"success": "process", "votes": 3}

    def scored(name: str, **changed: Any) -> tuple[bytes, Counter[str]]:
        verifier.asked.clear()
        built = judge(tmp_path, **{**nodes, **settings, **changed})
        case = Case(task(None), tmp_path / "run", tmp_path / name)
        judge_case(case, Court(built, "rubric-1", {}))
        return (tmp_path / name / "rubric-1.json").read_bytes(), Counter(verifier.asked)

    with scripted(answering(verifier)) as server:
        nodes = node(tmp_path, server.url)
        nodes["model"]["api_key_env"] = "RUBRIC_KEY"
        monkeypatch.setenv("RUBRIC_KEY", "secret")
        first, asked = scored("first")
        assert json.loads(first)["score"] == 1.0 and sum(asked.values()) == 2 * 5 + 4 + 3 * 3 + 2 + 3 - 1
        stricter, asked = scored("stricter", threshold=0.9)
        assert json.loads(stricter)["score"] == 0.0 and not asked
        (own / "relevance.txt").write_text((HERE / "rubric" / "relevance.txt").read_text() + "Be exact.\n")
        verifier.changed["relevance"] = lambda _, count: {"scores": [8 * (count % 2), 7]}
        verifier.changed["rescore"] = rescored(4, 4)
        _, asked = scored("again", prompts=str(own))
        assert set(asked) == {"relevance", "evidence"} | AFTER and not asked.keys() & BEFORE
    monkeypatch.delenv("RUBRIC_KEY")
    nodes = node(tmp_path, "http://127.0.0.1:9/v1", mode="replay")
    assert scored("replayed") == (first, Counter())


BEFORE = {"critical_point", "rubric", "dependencies", "action_scores"}
AFTER = {"reality", "rescore", "side_effects", "outcome", "failures"}
"""Steps before and after that of relevance, as far as what they are told depends on it."""


def test_the_configuration_builds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = plan_experiment("single", ["system=oracle", "judge=rubric", "model@judge.model=gpt-4o"]).runs[0]
    assert isinstance(build_judge(plan.config), Rubric) and len(plan.identity["judge"]["prompts"]) == 16


@pytest.mark.parametrize(
    "settings",
    [{"success": "x"}, {"process": "x"}, {"threshold": 0}, {"votes": 2}, {"per_criterion": 0}, {"attempts": 0}],
)
def test_mistakes_are_told(tmp_path: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"judge\."):
        judge(tmp_path, **settings)
