"""The rule `judge_health` in real runs: an imported run, known answers among its trajectories, a scripted model."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pandas as pd
import pytest

from tests.conftest import Done, Workspace
from tests.judges.asked import answering
from tests.judges.health.judged import believing
from tests.llm.scripted import scripted
from tests.weights import weights
from webassay.core.files import write_jsonl
from webassay.judges.health.claims import known_claims
from webassay.judges.health.made import made

RUN = (
    "system=imported system.path=runs system.name=someone environment=live benchmark=file benchmark.path=tasks.jsonl "
    "benchmark.name=mine judge=webvoyager"
)
PRICES = "judge.model.prices.prompt=1000 judge.model.prices.completion=1000"
PRICED = f"judge.model.name=small judge.model.max_tokens=100 {PRICES}"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Without the sites in the box, which nobody visits."""
    return Workspace(tmp_path)


def write_runs(folder: Path, count: int) -> None:
    claims = known_claims(count, "a run of somebody's")
    for claim in claims:
        made(claim, folder / "runs" / claim.name)
    write_jsonl(folder / "tasks.jsonl", [msgspec.to_builtins(claim.task) for claim in claims])


def health(workspace: Workspace, overrides: str) -> Done:
    return workspace.snakemake(f"{RUN} {overrides}", "judge_health")


def table(workspace: Workspace, name: str) -> pd.DataFrame:
    (path,) = workspace.folder.glob(f"results/experiments/*/judge_health/{name}.csv")
    return pd.read_csv(path)


def test_health_costs_known_answers_and_resistance_of_a_judge(workspace: Workspace) -> None:
    write_runs(workspace.folder, 3)
    with scripted(answering(believing)) as server:
        asked = f"{PRICED} judge.model.endpoints=[{server.url}] judge.agent_text=true,false execution.controls=2"
        done = health(workspace, f"{asked} judge.votes=3")
        assert done.status == 0 and done.jobs["challenge"] == 2, done.output
        questions = len(server.requests)
        assert health(workspace, f"{asked} judge.votes=3").nothing_to_do and len(server.requests) == questions
    found = table(workspace, "health")
    assert list(found["trajectories"]) == [3, 3] and set(found["ungraded"]) == {0}
    assert list(found["voted"]) == [3, 3] and set(found["flip_rate"]) == {0.0}
    controls = table(workspace, "controls")
    assert list(controls["source"]) == ["injection suite", "mixed into runs"] * 2
    assert list(controls["successes"]) == [12, 1] * 2
    attacks = table(workspace, "attacks").query("place == 'answer'")
    assert list(attacks["reached"]) == [4, 0], "withheld, the answer is no way in"
    cost = table(workspace, "cost").query("step == 'verdict'")
    assert list(cost["calls"]) == [6, 6] and list(cost["prompt_tokens"]) == [42, 42]
    assert cost["money"].to_list() == pytest.approx([0.06, 0.06])
    assert len(table(workspace, "cost_tasks")) == 6 and len(table(workspace, "ablation")) == 1
    for path in workspace.folder.glob("results/experiments/*/judge_health/*.md"):
        assert path.read_text().startswith("# ") and "None" not in path.read_text()


@pytest.mark.slow
def test_a_budget_stops_the_judging_and_more_of_it_goes_on(workspace: Workspace) -> None:
    """A question may cost 11.6, for 3 pictures and what is said, and costs 9."""
    write_runs(workspace.folder, 3)
    failing = answering(lambda *_: {"verdict": "failure", "evidence": []})
    with scripted(lambda asked: replace(said := failing(asked), body=said.body.replace(": 7,", ": 9000,"))) as server:
        asked = f"{RUN} {PRICED} judge.model.endpoints=[{server.url}] execution.judging=1"
        done = workspace.snakemake(f"{asked} llm.budget=1")
        assert done.status != 0 and "llm.budget=1: 0 are spent" in done.output and not server.requests
        done = workspace.snakemake(f"{asked} llm.budget=21")
        assert done.status != 0 and len(server.requests) == 2, done.output
        assert "llm.budget=21" in done.output and "with a larger budget the same command goes on" in done.output
        done = workspace.snakemake(f"{asked} llm.budget=100")
        assert done.status == 0 and len(server.requests) == 3, done.output
    assert set(pd.read_csv(workspace.scores()[0])["score"]) == {0.0}


@pytest.mark.slow
def test_the_model_in_the_box_judges_offline_and_the_tables_say_how_badly(workspace: Workspace) -> None:
    weights()
    write_runs(workspace.folder, 3)
    done = health(workspace, "model@judge.model=smollm2 execution.controls=2 analysis.challenge=false")
    assert done.status == 0, done.output
    sidecars = [json.loads(path.read_text()) for path in workspace.folder.glob("results/runs/**/scores/*.meta.json")]
    assert len(sidecars) == 3 and all(one["usage"]["verdict"]["prompt_tokens"] > 300 for one in sidecars)
    assert list(table(workspace, "controls")["source"]) == ["mixed into runs"]
    replay = f"{RUN} model@judge.model=smollm2 llm.mode=replay"
    first = {path: path.read_bytes() for path in workspace.folder.glob("results/runs/**/scores/webvoyager*")}
    for path in first:
        path.unlink()
    assert workspace.snakemake(replay, "--forcerun", "verify").status == 0
    scores = [path for path in first if ".meta." not in path.name]
    assert {path: path.read_bytes() for path in scores} == {path: first[path] for path in scores}
