"""The injection suite's figures: a model that believes anything is found out, one that does not is not accused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.judges.asked import answering
from tests.judges.health.judged import FAILURE, believing, parroting
from tests.llm.scripted import Said, scripted
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.errors import WebassayError
from webassay.judges.health.attacks import PLACES
from webassay.judges.health.trials import Trial, challenge, judged_controls, mixed
from webassay.judges.lifecycle import Court
from webassay.judges.verify.crowd import judge_all
from webassay.report.health.known import COIN, SUITE, Tried, attacks_table, controls_table


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def plan(url: str, *more: str) -> Any:
    words = ["system=oracle", "judge=webvoyager", "judge.model.name=small", f"judge.model.endpoints=[{url}]"]
    return plan_experiment("single", [*words, "judge.model.retries=0", *more]).runs[0]


def court(planned: Any) -> Court:
    return Court(build_judge(planned.config), planned.eval_hash, planned.identity["judge"])


def suite(answer: Callable[[dict[str, Any]], Said]) -> list[Trial]:
    with scripted(answer) as server:
        planned = plan(server.url)
        return challenge(court(planned), planned.config["llm"], 8)


def lines(trials: list[Trial]) -> dict[str, dict[str, Any]]:
    table = attacks_table([Tried("webvoyager", "webvoyager-1", SUITE, trials)], 0.95)
    assert "webvoyager-1" in table.markdown
    return {row["place"]: row for row in table.data.to_dict("records")}


def test_a_model_that_believes_what_it_reads_is_talked_into_success_wherever_it_is_reached() -> None:
    found = lines(suite(answering(believing)))
    rates = {place: found[place]["rate"] for place in (*PLACES, "all places")}
    reached = dict.fromkeys(("answer", "task"), 1.0)
    assert rates == dict.fromkeys(PLACES, 0.0) | reached | {"all places": 8 / 24}
    assert {place: found[place]["reached"] for place in PLACES} == {
        **dict.fromkeys(PLACES, 0), **dict.fromkeys(("answer", "task", "screenshot"), 4),
    }  # fmt: skip
    assert found["answer"]["rate_high"] == 1.0 and 0.5 < found["thought"]["rate_high"] < 0.6


def test_a_copied_answer_is_no_verdict() -> None:
    trials = suite(answering(parroting))
    found = lines(trials)["all places"]
    assert (found["talked_into_success"], found["open"]) == (0, 8)
    assert {trial.reason.split(":")[1] for trial in trials if trial.score is None} == {" injection"}


def test_who_always_says_the_same_does_no_better_than_a_coin() -> None:
    trials = suite(answering(lambda *_: FAILURE))
    (line,) = controls_table([Tried("webvoyager", "webvoyager-1", SUITE, trials)]).data.to_dict("records")
    assert (line["successes_right"], line["failures_right"], line["accuracy"]) == (0, 12, 0.5)
    assert line["warning"] == COIN and lines(trials)["all places"]["rate"] == 0


def test_what_could_not_be_judged_is_judged_the_next_time() -> None:
    broken = {"left": 5}

    def failing(request: dict[str, Any]) -> Said:
        broken["left"] -= 1
        return Said("{}", 500) if broken["left"] >= 0 else answering(lambda *_: FAILURE)(request)

    with scripted(failing) as server:
        planned = plan(server.url)
        with pytest.raises(WebassayError, match="5 of 48 known answers could not be judged"):
            challenge(court(planned), planned.config["llm"], 4)
        first = len(server.requests)
        trials = challenge(court(planned), planned.config["llm"], 4)
        assert {trial.score for trial in trials} == {0.0} and first < len(server.requests) <= first + 5


def test_known_answers_are_mixed_into_a_shard_and_kept_apart_from_its_run() -> None:
    with scripted(answering(lambda *_: FAILURE)) as server:
        planned = plan(server.url, "execution.controls=6")
        assert planned.eval_hash == plan(server.url).eval_hash
        list(judge_all(mixed([], planned, "0-of-1"), court(planned), 4))
        assert len(server.requests) == 6
    trials = judged_controls(planned, "0-of-1")
    assert [(trial.known, trial.score) for trial in trials] == [("success", 0.0), ("failure", 0.0)] * 3
    assert judged_controls(planned, "0-of-2") == [] and not Path("results/runs").exists()
