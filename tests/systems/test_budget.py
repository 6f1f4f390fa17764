"""What a run may take, and who may be on a shared deployment at a time."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.llm.scripted import Said, completion, scripted
from tests.llm.test_client import model
from webassay.config.experiment import plan_experiment
from webassay.core.answer import FinalAnswer
from webassay.core.task import Task
from webassay.errors import BudgetSpent, ConfigError
from webassay.evidence.redact import Redactor
from webassay.llm.client import Client
from webassay.systems.budget import Budget
from webassay.systems.ledger import Ledger
from webassay.systems.model_calls import counted
from webassay.systems.questions import Questions
from webassay.systems.turns import turn


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def budget(run: Path, **limits: Any) -> Budget:
    return Budget({"tokens": None, "money": None, "seconds": None} | limits, run)


def answer(folder: Path, cost: float) -> None:
    folder.mkdir(parents=True)
    used = {
        "Agent": {"prompt_tokens": 90, "completion_tokens": 10, "reasoning_tokens": 0, "num_calls": 1, "cost": cost}
    }
    (folder / f"{folder.name}_final_answer.json").write_text(json.dumps({"token_usage": used}))


def test_all_attempts_count_also_those_that_were_aborted_or_superseded(tmp_path: Path) -> None:
    answer(tmp_path / "traj" / "t1", 0.25)
    answer(tmp_path / "traj" / "t1" / "attempts" / "0", 0.25)
    answer(tmp_path / "superseded" / "t2" / "ab", 0.25)
    budget(tmp_path).require()
    budget(tmp_path, tokens=301, money=0.8, seconds=60).require()
    with pytest.raises(BudgetSpent, match=r"execution\.budget\.tokens=300 is used up \(300\), and tasks are left"):
        budget(tmp_path, tokens=300).require()
    with pytest.raises(BudgetSpent, match=r"budget\.money=0\.75 is used up"):
        budget(tmp_path, money=0.75).require()
    with pytest.raises(BudgetSpent, match=r"budget\.seconds=0 is used up"):
        budget(tmp_path, seconds=0).require()


def test_what_is_spent_meanwhile_counts(tmp_path: Path) -> None:
    watched = budget(tmp_path, tokens=150)
    watched.require()
    answer(tmp_path / "traj" / "t1", 0.0)
    watched.require()
    answer(tmp_path / "traj" / "t2", 0.0)
    with pytest.raises(BudgetSpent):
        watched.require()


def test_money_needs_prices() -> None:
    config = plan_experiment("single", "system=oracle execution.budget.money=1").runs[0].config
    with pytest.raises(ConfigError, match=r"set model\.prices\.prompt"):
        Budget.of(config, Path())


def test_calls_of_a_lost_worker_are_counted(tmp_path: Path) -> None:
    line = json.dumps({"component": "Agent", "usage": {"prompt_tokens": 7, "completion_tokens": 3}, "reply": "x"})
    (tmp_path / "model_calls.jsonl").write_text(f"{line}\n{line}\n{line[:40]}")
    used = counted(tmp_path, {"prompt": 1.0, "completion": 1.0})["Agent"]
    assert (used.prompt_tokens, used.num_calls, used.cost) == (14, 2, pytest.approx(20e-6))
    assert counted(tmp_path / "gone", None) == {}


def test_what_a_killed_run_has_spent_is_counted_while_it_runs_and_when_it_is_begun_again(tmp_path: Path) -> None:
    line = json.dumps({"component": "Agent", "usage": {"prompt_tokens": 90, "completion_tokens": 10}})
    ledger, cut = Ledger(tmp_path), task("retrieve")
    for times in (1, 2):
        ledger.workplace(cut).mkdir(parents=True)
        (ledger.workplace(cut) / "model_calls.jsonl").write_text(line)
        for _ in range(2):  # under way, and then when whoever comes next has cleared it away
            budget(tmp_path, tokens=times * 100 + 1).require()
            with pytest.raises(BudgetSpent, match=rf"\({times * 100}\)"):
                budget(tmp_path, tokens=times * 100).require()
            assert ledger.attempt(cut) is None and not ledger.workplace(cut).exists()


def test_an_endpoint_that_counts_nothing_is_taken_at_its_most(tmp_path: Path) -> None:
    silent = json.loads(completion("¡Tres!").body) | {"usage": None}
    with scripted(Said(json.dumps(silent))) as server:
        client = Client(model(server.url, prices={"prompt": 1e6, "completion": 1e6}))
        settings = {"max_seconds": 60, "name": "x"}
        questions = Questions(tmp_path, settings, Redactor([], salt=b"x"), client)
        picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        questions.ask("Agent", [{"role": "user", "content": [{"type": "text", "text": "How many?"}, picture]}])
    used = questions.usage["Agent"]
    assert used.prompt_tokens >= 3009 and used.completion_tokens == 7 and used.estimated_calls == 1
    assert used.cost == used.prompt_tokens + 7
    assert counted(tmp_path, client.model["prices"]) == questions.usage
    record = FinalAnswer(token_usage={"Agent": msgspec.to_builtins(used)})
    assert record.usage == questions.usage


def test_a_run_stops_between_two_tasks_and_goes_on_when_it_is_given_more(workspace: Any) -> None:
    """Two tasks are done when the budget is found to be spent; the third is done by the same command with more."""
    said = '{"action": "retrieve", "status": "SUCCESS", "results": ["12.99"], "error_details": null}'
    with scripted(completion(said)) as server:
        prices = "model.prices.prompt=1 model.prices.completion=1"
        chosen = f"model=gpt-4o model.endpoints=[{server.url}] model.api_key_env=null {prices} execution.workers=1"
        run = f"system=knowledge_only {chosen} benchmark.select.limit=3"
        stopped = workspace.snakemake(f"{run} execution.budget.tokens=15")
        assert stopped.status != 0 and "execution.budget.tokens=15 is used up (20)" in stopped.output
        assert len(server.requests) == 2 and len(workspace.starts()) == 2
        done = workspace.snakemake(f"{run} execution.budget.tokens=1000 execution.budget.money=0.01")
        assert done.status == 0, done.output
    assert len(server.requests) == 3 and len(workspace.starts()) == 3


ENVIRONMENT: dict[str, Any] = {
    "command": [],
    "reset": {"by": "none"},
    "sites": {name: {"url": f"http://{name}.example"} for name in ("shop", "forum")},
}


def task(kind: str, *sites: str) -> Task:
    expects = {"evaluator": "AgentResponseEvaluator", "expected": {"task_type": kind}}
    return Task("t", "", sites or ("shop",), "template", (expects,))


def waits(held: Task, asks: Task, environment: dict[str, Any] = ENVIRONMENT) -> bool:
    """Whether one has to wait while the other is there."""
    came = threading.Event()

    def come() -> None:
        with turn(environment, asks):
            came.set()

    with turn(environment, held):
        threading.Thread(target=come, daemon=True).start()
        waited = not came.wait(0.3)
    assert came.wait(5), "and then it is its turn"
    return waited


def test_whoever_changes_something_is_alone_on_its_sites() -> None:
    look, change = task("retrieve"), task("mutate")
    assert not waits(look, look) and not waits(look, task("navigate"))
    assert waits(change, look) and waits(look, change) and waits(change, change)
    assert not waits(change, task("mutate", "forum")) and waits(task("mutate", "forum", "shop"), change)
    assert waits(task("unknown"), look), "who knows what it does"


@pytest.mark.parametrize("spelt", ["http://localhost:7770/", "HTTP://LOCALHOST:7770", "http://localhost:7770/admin"])
def test_one_site_is_one_however_its_address_is_spelt(spelt: str) -> None:
    sites = {"shop": {"url": "http://localhost:7770"}, "forum": {"url": spelt}}
    assert waits(task("mutate"), task("retrieve", "forum"), ENVIRONMENT | {"sites": sites})


def test_a_hook_puts_the_sites_back_for_everybody() -> None:
    shared = ENVIRONMENT | {"reset": {"by": "url"}}
    assert waits(task("retrieve"), task("retrieve", "forum"), shared)


def test_sites_of_ones_own_are_never_waited_for() -> None:
    own = ENVIRONMENT | {"command": ["serve"], "reset": {"by": "url"}}
    assert not waits(task("mutate"), task("mutate"), own)


HOLDER = """
import json, sys, time
from webassay.core.task import Task
from webassay.systems.questions import Questions
from webassay.systems.turns import turn
with turn(json.loads(sys.argv[1]), Task("t", "", ("shop",), "x", ())):
    print("in", flush=True)
    time.sleep(60)
"""


def test_other_processes_wait_too_and_a_killed_one_holds_nothing() -> None:
    from webassay.core.processes import child_environment

    words = [sys.executable, "-c", HOLDER, json.dumps(ENVIRONMENT)]
    holder = subprocess.Popen(words, stdout=subprocess.PIPE, env=child_environment())
    assert holder.stdout is not None and holder.stdout.readline() == b"in\n"
    entered: list[float] = []

    def come() -> None:
        with turn(ENVIRONMENT, task("retrieve")):
            entered.append(time.monotonic())

    thread = threading.Thread(target=come, daemon=True)
    thread.start()
    thread.join(0.3)
    assert not entered
    holder.kill()
    holder.wait()
    holder.stdout.close()
    thread.join(5)
    assert entered
