"""A budget for what judges ask: never passed, whoever asks; and with more of it, on from where it stopped."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.llm.scripted import Said, completion, scripted
from tests.llm.test_client import model
from webassay.errors import ConfigError, ModelError, PurseEmpty
from webassay.llm.asking import Ask, Asker
from webassay.llm.prices import PICTURE_TOKENS, cost, most
from webassay.llm.spending import LEDGER

PRICES = {"prompt": 1_000_000.0, "completion": 1_000_000.0}
"""A token is a unit of money; the scripted endpoint counts 7 and 3 of them in each answer."""


def asker(folder: Path, *endpoints: str, budget: float, **settings: Any) -> Asker:
    llm = {"mode": "record", "folder": str(folder), "parallel": 4, "budget": budget}
    return Asker(model(*endpoints, **{"max_tokens": 3, "prices": PRICES} | settings), llm)


def ask(asker: Asker, word: str) -> str:
    return asker.ask(Ask("verdict", [{"role": "user", "content": word}]), "task t").reply.text


def ledger(folder: Path) -> float:
    return sum(map(float, (folder / LEDGER).read_text().split()))


def test_cost_is_of_what_the_endpoint_counted() -> None:
    counts = {"prompt_tokens": 1000, "completion_tokens": 100, "cached_tokens": 400}
    assert cost(counts, {"prompt": 2.5, "completion": 10, "cached": 1.25}) == pytest.approx(0.003)
    assert cost(counts, {"prompt": 2.5, "completion": 10}) == pytest.approx(0.0035)
    assert cost(counts, {}) is cost(counts, {"prompt": 1}) is None


def test_no_question_costs_more_than_is_held_for_it() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "¿é?"}, {"type": "image_url", "image_url": {}}]}]
    assert most(messages, 10, PRICES) == 5 + PICTURE_TOKENS + 10
    assert most(messages, 10, PRICES, 1500) == 5 + 1500 + 10


def test_it_stops_before_the_budget_is_passed_and_goes_on_with_more(tmp_path: Path) -> None:
    """Each question holds 7 bytes and 3 tokens, and costs as much."""
    with scripted(completion("Three.")) as server:
        poor = asker(tmp_path, server.url, budget=25)
        assert [ask(poor, f"word {n:02}") for n in range(2)] == ["Three."] * 2
        with pytest.raises(PurseEmpty, match=r"llm.budget=25: 20 are spent .* the next one may cost 10"):
            ask(poor, "word 02")
        assert len(server.requests) == 2 and ledger(tmp_path) == 20
        assert ask(poor, "word 01") == "Three.", "what is stored costs nothing"
        richer = asker(tmp_path, server.url, budget=30)
        assert ask(richer, "word 02") == "Three." and ledger(tmp_path) == 30
        with pytest.raises(PurseEmpty):
            ask(richer, "word 03")


def test_many_at_once_do_not_pass_it(tmp_path: Path) -> None:
    with scripted(completion("Three.")) as server:
        askers = [asker(tmp_path, server.url, budget=95) for _ in range(4)]

        def tried(number: int) -> int:
            try:
                return len(ask(askers[number % 4], f"word {number:02}")) and 1
            except PurseEmpty:
                return 0

        with ThreadPoolExecutor(8) as pool:
            answered = sum(pool.map(tried, range(40)))
    assert answered == len(server.requests) == 9 and ledger(tmp_path) == pytest.approx(90)


@pytest.mark.parametrize("status", [500, 401])
def test_what_failed_is_given_back_and_what_nobody_counted_is_not(tmp_path: Path, status: int) -> None:
    with scripted(Said("{}", status)) as server, pytest.raises((ModelError, ConfigError)):
        ask(asker(tmp_path, server.url, budget=25), "word 00")
    assert ledger(tmp_path) == 0
    uncounted = completion("Three.").body.replace('"usage"', '"used"')
    with scripted(Said(uncounted)) as server:
        ask(asker(tmp_path, server.url, budget=25, max_tokens=8), "word 00")
    assert ledger(tmp_path) == 15


def test_every_try_is_held_and_what_a_failed_one_counted_is_kept(tmp_path: Path) -> None:
    empty = Said(json.dumps(json.loads(completion("x").body) | {"choices": []}))
    said = iter([empty, empty, completion("Three.")])
    with scripted(lambda _: next(said)) as server:
        assert ask(asker(tmp_path, server.url, budget=35, retries=2), "word 00") == "Three."
        assert ledger(tmp_path) == pytest.approx(30)
        said = iter([empty, completion("Three.")])
        with pytest.raises(PurseEmpty, match="45: 40 are spent"):
            ask(asker(tmp_path, server.url, budget=45, retries=2), "word 01")
    assert len(server.requests) == 4


def test_a_time_out_may_have_been_charged(tmp_path: Path) -> None:
    def slow(_: dict[str, Any]) -> Said:
        time.sleep(0.5)
        return completion("Three.")

    with scripted(slow) as server, pytest.raises(ModelError):
        ask(asker(tmp_path, server.url, budget=25, timeout=0.05), "word 00")
    assert ledger(tmp_path) == 10


def test_a_question_that_cost_more_than_was_held_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with scripted(completion("Three.")) as server:
        ask(asker(tmp_path, server.url, budget=25, max_tokens=1), "w")
    assert ledger(tmp_path) == 10 and "judge.model.picture_tokens" in caplog.text


@pytest.mark.parametrize(
    "settings, message", [({"max_tokens": None}, "judge.model.max_tokens"), ({"prices": {}}, "judge.model.prices")]
)
def test_a_budget_that_nobody_can_keep_is_refused(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ask(asker(tmp_path, "http://127.0.0.1:9/v1", budget=1, **settings), "word")
    assert not (tmp_path / LEDGER).exists()
