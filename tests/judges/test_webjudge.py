"""The judge `webjudge` and its sisters against a scripted model over real HTTP."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.judges.asked import TASK, answering, node, pictures, texts, trajectory
from tests.llm.scripted import Said, completion, scripted
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.core.verdict import Verdict
from webassay.errors import ConfigError, ModelError
from webassay.judges.webjudge import WebJudge

Saying = Callable[[str, dict[str, Any]], dict[str, Any] | str]
IMAGES = {"most": 50, "keep": "last"}


def judge(folder: Path, *endpoints: str, **settings: Any) -> WebJudge:
    return WebJudge(**{"prompts": "webjudge", **node(folder, *endpoints), "images": IMAGES, **settings})


def model(verdict: str = "success", score: Callable[[int], Any] = lambda number: 1 + number % 5) -> Saying:
    """Screenshot n scores 1 + n mod 5; the verdict cites the first screenshot that it is shown."""

    def how(said: str, request: dict[str, Any]) -> dict[str, Any] | str:
        numbers = [int(number) for number in re.findall(r"^Screenshot (\d+):$", said, re.MULTILINE)]
        if '"key_points"' in said:
            return {"key_points": ["A tent", "The cheapest"]}
        if '"score"' in said:
            return {"reason": f"seen {numbers[0]}", "score": score(numbers[0])}
        return {"reason": "As shown.", "evidence": numbers[:1], "verdict": verdict}

    return how


def judged(folder: Path, how: Saying, count: int = 5, **settings: Any) -> tuple[Verdict, list[dict[str, Any]]]:
    with scripted(answering(how)) as server:
        verdict = judge(folder, server.url, **settings).judge(TASK, trajectory(folder / "t7", count))
    return verdict, server.requests


@pytest.mark.parametrize(
    "method, calls, shown",
    [("online_mind2web", 7, 3), ("general", 7, 3), ("autonomous", 1, 1), ("agenttrek", 1, 1), ("webvoyager", 1, 5)],
)
def test_each_method_asks_what_it_should(tmp_path: Path, method: str, calls: int, shown: int) -> None:
    verdict, requests = judged(tmp_path, model(), method=method)
    assert (verdict.score, len(requests), len(verdict.replies)) == (1.0, calls, calls)
    final = requests[-1]
    assert pictures(final) == shown
    said = texts(final)
    assert ("thought 1" in said) == (method in ("general", "agenttrek"))
    assert ("The Ridgeway" in said) == (method in ("autonomous", "webvoyager"))
    assert ("The cheapest" in said and "seen 3" in said) == (calls == 7)


def test_screenshots_below_the_threshold_are_not_shown_and_all_scores_are_kept(tmp_path: Path) -> None:
    verdict, requests = judged(tmp_path, model())
    assert [note.actual for note in verdict.assertions if note.name.startswith("screenshot.")] == [2, 3, 4, 5, 1]
    assert verdict.assertions[-1].evidence == "screenshots 2-4; left out 1, 5"
    assert "seen 1" not in texts(requests[-1]) and "Screenshot 4: seen 4" in texts(requests[-1])
    assert {step: used.num_calls for step, used in verdict.usage.items()} == {
        "key_points": 1,
        "screenshot": 5,
        "verdict": 1,
    }


def test_another_threshold_asks_only_the_last_question_where_it_shows_something_else(tmp_path: Path) -> None:
    judged(tmp_path, model(score=lambda _: 4))
    again = judge(tmp_path, **node(tmp_path, mode="replay"), threshold=4).judge(TASK, trajectory(tmp_path / "t7", 5))
    assert again.score == 1.0
    _, requests = judged(tmp_path, model(), threshold=5)
    assert len(requests) == 1 and pictures(requests[0]) == 1


def test_replay_gives_the_same_bytes(tmp_path: Path) -> None:
    verdict, _ = judged(tmp_path, model("failure"), votes=3)
    replaying = judge(tmp_path, **node(tmp_path, "http://127.0.0.1:9/v1", mode="replay"), votes=3)
    again = replaying.judge(TASK, trajectory(tmp_path / "moved", 5))
    assert verdict.score == 0.0 and msgspec.json.encode(again) == msgspec.json.encode(verdict)


def test_two_hundred_screenshots_are_all_scored_and_fifty_shown(tmp_path: Path) -> None:
    verdict, requests = judged(tmp_path, model(score=lambda _: 5), 200)
    assert (len(requests), pictures(requests[-1])) == (202, 50)
    assert verdict.assertions[-1].evidence == "screenshots 151-200; left out 1-150"


def test_where_no_screenshot_counts_the_last_is_shown(tmp_path: Path) -> None:
    verdict, requests = judged(tmp_path, model(score=lambda _: 1))
    assert verdict.score == 1.0 and pictures(requests[-1]) == 1 and "Screenshot 5:" in texts(requests[-1])


@pytest.mark.parametrize("score", [None, 0, 6, True, "5", 3.5])
def test_a_screenshot_whose_score_cannot_be_read_is_shown(tmp_path: Path, score: Any) -> None:
    verdict, requests = judged(tmp_path, model(score=lambda number: score if number == 1 else 1))
    assert pictures(requests[-1]) == 1 and "\nScreenshot 1:" in texts(requests[-1])
    assert next(note.actual for note in verdict.assertions if note.name == "screenshot.1") is None


@pytest.mark.parametrize("points", ["", "I'm sorry, no.", {"key_points": []}, {"key_points": "a"}, {"key_points": [1]}])
def test_without_key_points_it_abstains_before_it_scores(tmp_path: Path, points: Any) -> None:
    verdict, requests = judged(tmp_path, lambda said, _: points)
    assert verdict.score is None and verdict.reason.startswith("abstained: ") and len(requests) == 1


def test_nothing_to_see(tmp_path: Path) -> None:
    assert judge(tmp_path).judge(TASK, trajectory(tmp_path / "t7", 1, unreadable=(1,))).score is None


def test_a_failure_in_the_middle_keeps_what_was_answered(tmp_path: Path) -> None:
    def failing(request: dict[str, Any]) -> Said:
        return Said("{}", 500) if "Screenshot 3:" in texts(request) else answering(model())(request)

    with scripted(failing) as server, pytest.raises(ModelError):
        judge(tmp_path, server.url).judge(TASK, trajectory(tmp_path / "t7", 5))
    verdict, requests = judged(tmp_path, model())
    assert verdict.score == 1.0 and 2 <= len(requests) < 7


def legacy(final: str, note: str) -> Callable[[dict[str, Any]], Said]:
    def answer(request: dict[str, Any]) -> Said:
        said = texts(request)
        if "**Key Points**" in said:
            return completion("Sure.\n**Key Points**:\n\n  1. A tent\n  2. The cheapest")
        return completion(note if "<1 to 5>" in said else final)

    return answer


@pytest.mark.parametrize("method, note", [("online_mind2web", "2. **Score**: 4"), ("general", "### Score: 4")])
@pytest.mark.parametrize(
    "parser, final, score",
    [
        ("om2w_status", 'Thoughts: x\nStatus: "success"', 1.0),
        ("om2w_status", "Status: unsuccessful", 1.0),
        ("om2w_status", "I'm sorry", 0.0),
        ("strict", "Status: unsuccessful", 0.0),
        ("strict", "I'm sorry", None),
    ],
)
def test_legacy_forms(tmp_path: Path, method: str, note: str, parser: str, final: str, score: float | None) -> None:
    with scripted(legacy(final, f"**Reasoning**: a tent\n{note}")) as server:
        built = judge(tmp_path, server.url, method=method, parser=parser)
        verdict = built.judge(TASK, trajectory(tmp_path / "t7", 2))
    assert verdict.score == score and verdict.assertions[0].actual == "1. A tent\n2. The cheapest"
    assert pictures(server.requests[-1]) == 2 and "Status: <success or failure>" in texts(server.requests[-1])


@pytest.mark.parametrize(
    "note, parser, shown", [("I'm sorry.", "strict", 3), ("Score: 1", "strict", 1), ("I'm sorry.", "om2w_status", 1)]
)
def test_our_own_parser_shows_a_screenshot_whose_score_it_cannot_read(
    tmp_path: Path, note: str, parser: str, shown: int
) -> None:
    with scripted(legacy("Status: success", note)) as server:
        judge(tmp_path, server.url, parser=parser).judge(TASK, trajectory(tmp_path / "t7", 3))
    assert pictures(server.requests[-1]) == shown


def test_the_configuration_builds_each_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["system=oracle", "judge=webjudge", "model@judge.model=gpt-4o", "judge.method=general,autonomous,agenttrek"]
    plans = plan_experiment("single", given).runs
    assert len({plan.eval_hash for plan in plans}) == 3
    assert all(isinstance(build_judge(plan.config), WebJudge) for plan in plans)


@pytest.mark.parametrize("reply, score", [("It is there. SUCCESS", 1.0), ("No. FAILURE", 0.0), ("I'm sorry", 1.0)])
def test_the_words_of_its_webvoyager(tmp_path: Path, reply: str, score: float) -> None:
    with scripted(completion(reply)) as server:
        built = judge(tmp_path, server.url, method="webvoyager", parser="om2w_webvoyager_FAILURE")
        verdict = built.judge(TASK, trajectory(tmp_path / "t7", 2))
    assert verdict.score == score and "SUCCESS or FAILURE" in texts(server.requests[0])


@pytest.mark.parametrize("method", ["general", "agenttrek", "autonomous", "webvoyager"])
def test_without_the_agents_words_nothing_that_it_said_is_shown(tmp_path: Path, method: str) -> None:
    _, requests = judged(tmp_path, model(), method=method, agent_text=False)
    said = texts(requests[-1])
    assert "thought 1" not in said and "The Ridgeway" not in said and TASK.intent in said


@pytest.mark.parametrize(
    "method, parser",
    [("online_mind2web", "om2w_webvoyager_FAILURE"), ("webvoyager", "om2w_status"), ("general", "webvoyager_orig")],
)
def test_a_parser_of_other_words_than_are_asked_for_is_refused(tmp_path: Path, method: str, parser: str) -> None:
    with pytest.raises(ConfigError, match=rf"judge\.parser={parser}: reads other words than this judge asks for"):
        judge(tmp_path, method=method, parser=parser)


@pytest.mark.parametrize("settings", [{"method": "webjudge"}, {"threshold": 0}, {"threshold": 6}])
def test_mistakes_are_told(tmp_path: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"judge\.method"):
        judge(tmp_path, **settings)
