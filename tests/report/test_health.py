"""The tables of judges' health, from verdicts on disk: what is open, what wavers, what it took."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.core.answer import Usage
from webassay.core.files import write_json, write_text
from webassay.core.verdict import Assertion
from webassay.judges.health.trials import Trial
from webassay.judges.lifecycle import Judgement, Sidecar
from webassay.report.health.costs import TOGETHER
from webassay.report.health.known import SUITE, Tried, attacks_table, controls_table
from webassay.report.health.tables import cost_sheet, health_sheet, health_tables
from webassay.report.tables import scores_csv

JUDGE = ["system=oracle", "judge=webvoyager", "judge.model.name=small"]
PRICES = ["judge.model.prices.prompt=2", "judge.model.prices.completion=10"]
SHOWN = "screenshots 3-5; left out 1-2, 6; unreadable 7"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def judging(
    name: str, score: float | None = None, reason: str = "", votes: str = "", execution: str = "answered"
) -> tuple[Judgement, Sidecar]:
    verification: Any = "ungraded" if score is None else "scored"
    row = Judgement(name, "t", "shop", execution, verification, reason, score)
    words = {"s": "success", "f": "failure", "a": "abstained"}
    drawn = tuple(Assertion(f"vote.{n}", True, actual=words[vote], evidence=SHOWN) for n, vote in enumerate(votes))
    usage = {"key_points": Usage(1000, 100), "verdict": Usage(2000, 200, 50, 3)} if votes else {}
    return row, Sidecar("d", "e", {}, row, drawn, usage=usage)


JUDGED = [
    judging("won", 1.0, votes="ss"),
    judging("lost", 0.0, votes="ffs"),
    judging("mute", None, "abstained: empty: the model said nothing", "a"),
    judging("torn", None, "abstained: split: 1 success, 1 failure", "sf"),
    judging("down", None, "judge_error: no endpoint answered"),
    judging("gone", None, "aborted: the browser died", execution="aborted"),
]


def experiment(*overrides: str, judged: list[tuple[Judgement, Sidecar]] = JUDGED) -> ExperimentPlan:
    found = plan_experiment("single", [*JUDGE, *overrides])
    for plan in found.runs:
        for row, sidecar in judged:
            scores = plan.folder / "traj" / row.task_id / "scores"
            write_json(scores / f"{plan.eval_hash}.meta.json", sidecar)
            if row.score is not None:
                write_json(scores / f"{plan.eval_hash}.json", {"score": row.score, "gpt_response_text": None})
        write_text(plan.scores, scores_csv(plan, [row for row, _ in judged]))
    return found


def rows(name: str, *overrides: str) -> list[dict[str, Any]]:
    table = health_tables(experiment(*overrides))[name]
    assert table.csv.count("\n") == len(table.data) + 1 and "None" not in table.markdown and "nan" not in table.markdown
    return list(table.data.to_dict("records"))


def test_what_is_open_has_a_reason_and_two_bounds() -> None:
    (row,) = rows("health")
    assert (row["trajectories"], row["graded"], row["ungraded"]) == (6, 2, 4)
    assert (row["success_low"], row["success_high"], row["success_graded"]) == (1 / 6, 5 / 6, 0.5)
    reasons = {key.removeprefix("ungraded_"): count for key, count in row.items() if key.startswith("ungraded_")}
    assert {key: count for key, count in reasons.items() if count} == dict.fromkeys(
        ("empty", "split", "judge_error", "aborted"), 1
    )
    text = health_tables(experiment())["health"].markdown
    assert "16.7 to 83.3" in text and "empty 1, split 1, judge_error 1, aborted 1" in text


def test_votes_that_differ_are_a_rate_and_frames_left_out_are_counted() -> None:
    (row,) = rows("health")
    assert (row["votes"], row["voted"], row["wavering"]) == (8, 3, 2)
    assert row["flip_rate"] == pytest.approx((0 + 2 / 3 + 1) / 3)
    assert (row["frames_left_out"], row["frames_unreadable"]) == (4 * 3, 4)


def test_tokens_and_money_by_step_and_by_task() -> None:
    found = {row["step"]: row for row in rows("cost", *PRICES)}
    assert list(found) == ["key_points", "verdict", TOGETHER]
    verdict = found["verdict"]
    assert (verdict["calls"], verdict["prompt_tokens"], verdict["reasoning_tokens"]) == (12, 8000, 200)
    assert verdict["money"] == pytest.approx(4 * (2000 * 2 + 200 * 10) / 1e6)
    assert found[TOGETHER]["money"] == pytest.approx(4 * (3000 * 2 + 300 * 10) / 1e6)
    assert [row["task_id"] for row in rows("cost_tasks")] == sorted(row.task_id for row, _ in JUDGED)
    assert "n/a" in health_tables(experiment())["cost"].markdown, "without prices nobody knows"


def test_with_and_without_the_agents_words() -> None:
    (row,) = rows("ablation", "judge.agent_text=true,false")
    assert (row["both_graded"], row["only_with"], row["mcnemar_p"]) == (2, 0, 1.0)
    assert rows("ablation") == []


def test_each_report_of_a_judge_with_a_model_says_how_far_it_can_be_relied_on() -> None:
    found = experiment(*PRICES)
    health, cost = health_sheet(found), cost_sheet(found)
    assert {health.name, cost.name} <= set(found.sheets)
    assert health.shown["success %"][0] == "16.7 to 83.3" and "16.7 to 83.3" in health.latex()
    assert cost.data.equals(health_tables(found)["cost"].data)
    assert not {"judge_health", "judge_cost"} & set(plan_experiment("single", ["system=oracle"]).sheets)


def test_without_a_model_there_is_no_cost_and_without_known_answers_no_figure() -> None:
    tables = health_tables(experiment())
    assert "execution.controls" in tables["controls"].markdown and "analysis.challenge" in tables["attacks"].markdown


def test_an_attack_counts_where_its_twin_does_not_pass() -> None:
    plain = [Trial("k1", "success", 1.0, ""), Trial("k2", "failure", 0.0, ""), Trial("k3", "failure", 1.0, "")]
    attacks = [
        Trial("k2-0", "failure", 1.0, "", "answer", "order", "k2", True),
        Trial("k3-0", "failure", 1.0, "", "answer", "order", "k3", True),
        Trial("k2-1", "failure", None, "abstained: injection: x", "task", "order", "k2", None),
    ]
    tried = [Tried("webvoyager", "webvoyager-1", SUITE, [*plain, *attacks])]
    found = {row["place"]: row for row in attacks_table(tried, 0.95).data.to_dict("records")}
    answer = found["answer"]
    assert (answer["attacks"], answer["passed"], answer["twins_not_passed"], answer["rate"]) == (2, 2, 1, 1.0)
    assert (found["task"]["open"], found["task"]["rate"]) == (1, 0.0) and found["all places"]["rate"] == 0.5
    (line,) = controls_table(tried).data.to_dict("records")
    assert (line["failures"], line["failures_right"], line["accuracy"], line["warning"]) == (2, 1, 2 / 3, "")
    assert msgspec.json.decode(msgspec.json.encode(attacks), type=list[Trial]) == attacks
