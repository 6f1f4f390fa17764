"""Applications of a checkout that follow WebArena-Infinity's protocol, through the real workflow and browser."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPO, Workspace, snakemake_command
from webassay.config.experiment import plan_experiment
from webassay.errors import ConfigError

FIXTURE = REPO / "tests" / "sites" / "infinity"
SECRET = "sk-not-for-verifiers"
FORGERS = ("evaluate", "in_disguise", "written", "worker", "outside")
HONEST = ("second_window", "polling", "reloading", "slow", "inline")
PEEKERS = {"peeking": "/real-tasks/task_e1.py", "sidling": "/real-tasks/task_e1.py"}
HOW = ("honest", "stamped", "nothing", *HONEST, *PEEKERS, *FORGERS)
"""What the agent does on the application of this name."""


@pytest.fixture(scope="module")
def verdicts(shared_workspace: Workspace) -> dict[str, Any]:
    """One run over a checkout of many applications: each a copy of the same, named after what its agent does."""
    checkout = shared_workspace.folder / "checkout"
    for how in HOW:
        shutil.copytree(FIXTURE / "apps" / "todo", checkout / "apps" / how)
    tasks = [f"{how}-real-task_e1" for how in HOW]
    tasks += ["honest-real-task_m1", "honest-real-task_h1", "honest-function-task_1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{REPO / 'scripts'}:{FIXTURE}")
        patch.setenv("OPENAI_API_KEY", SECRET)
        words = snakemake_command(
            f"system=oracle system.kind=agents:Agent system.name=agent benchmark=webarena_infinity "
            f"benchmark.path={checkout} "
            f"environment.verifier_timeout=4 execution.workers=1 benchmark.select.tasks=[{','.join(tasks)}]"
        )
        done = shared_workspace.run(*words, timeout=900)
    assert done.status == 0, done.output
    paths = shared_workspace.folder.glob("results/runs/*/*/*/*/0/traj/*/scores/*.meta.json")
    return {path.parents[1].name: json.loads(path.read_text()) | {"folder": path.parents[1]} for path in paths}


def test_the_verifiers_own_word_is_the_verdict(verdicts: dict[str, Any]) -> None:
    passed = {name for name, sidecar in verdicts.items() if sidecar["judgement"]["score"] == 1.0}
    told = {name: sidecar["judgement"]["reason"] for name, sidecar in verdicts.items()}
    honest = {f"{how}-real-task_e1" for how in ("honest", *HONEST)}
    assert passed == {*honest, "honest-function-task_1"}, told
    assert verdicts["nothing-real-task_e1"]["judgement"]["score"] == 0.0
    assert told["nothing-real-task_e1"] == "The tea is still to be bought."


@pytest.mark.parametrize(
    "task, reason", [("task_m1", "the verifier gave no answer within 4 s"), ("task_h1", "KeyError: 'items'")]
)
def test_a_verifier_that_hangs_or_throws_leaves_its_task_ungraded(
    verdicts: dict[str, Any], task: str, reason: str
) -> None:
    judgement = verdicts[f"honest-real-{task}"]["judgement"]
    assert (judgement["verification"], judgement["score"]) == ("ungraded", None) and reason in judgement["reason"]


def test_a_verifier_has_no_secret_to_tell_and_nobody_to_tell_it(verdicts: dict[str, Any]) -> None:
    said = json.loads((verdicts["honest-function-task_1"]["folder"] / "verifier.json").read_text())
    assert said["passed"] and said["message"].startswith("confined ['HOME', 'LANG',") and SECRET not in str(said)


@pytest.mark.parametrize("how", FORGERS)
def test_forged_state_is_flagged_and_scores_nothing(verdicts: dict[str, Any], how: str) -> None:
    sidecar = verdicts[f"{how}-real-task_e1"]
    assert json.loads((sidecar["folder"] / "verifier.json").read_text())["passed"], "the forgery would have passed"
    assert (sidecar["judgement"]["score"], sidecar["attribution"]) == (0.0, "agent")
    assert sidecar["judgement"]["reason"].startswith("forged state: ")


def test_where_nobody_can_tell_who_wrote_the_state_there_is_no_score(verdicts: dict[str, Any]) -> None:
    """A window that has just opened sends a state of its own before anybody can listen."""
    judgement = verdicts["stamped-real-task_e1"]["judgement"]
    assert (judgement["verification"], judgement["score"]) == ("ungraded", None)
    assert judgement["reason"].startswith("whose state it is cannot be told: PUT /api/state")


def test_what_an_application_writes_stays_out_of_the_checkout(
    verdicts: dict[str, Any], shared_workspace: Workspace
) -> None:
    assert verdicts and not list(shared_workspace.folder.glob("checkout/**/kept.json"))


@pytest.mark.parametrize("how", PEEKERS)
def test_whoever_reads_the_verifiers_scores_nothing(verdicts: dict[str, Any], how: str) -> None:
    sidecar = verdicts[f"{how}-real-task_e1"]
    assert json.loads((sidecar["folder"] / "verifier.json").read_text())["passed"]
    assert (sidecar["judgement"]["score"], sidecar["attribution"]) == (0.0, "agent")
    assert sidecar["judgement"]["reason"] == f"read the answers: GET {PEEKERS[how]}"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(FIXTURE / "apps" / "todo", tmp_path / "checkout" / "todo")
    shutil.copytree(FIXTURE / "apps" / "todo", tmp_path / "checkout" / "second")
    return tmp_path / "checkout"


def planned(checkout: Path, *overrides: str) -> Any:
    words = ["system=oracle", "benchmark=webarena_infinity", f"benchmark.path={checkout}"]
    return plan_experiment("single", [*words, *overrides]).runs[0]


def test_each_application_is_a_site_and_its_content_the_identity(checkout: Path) -> None:
    assert list(planned(checkout).config["environment"]["sites"]) == ["second", "todo"]
    one = planned(checkout, "benchmark.app=todo")
    assert list(one.config["environment"]["sites"]) == ["todo"] and one.run != planned(checkout).run
    (checkout / "todo" / "__pycache__").mkdir()
    for file in ("__pycache__/server.pyc", "server.log", ".DS_Store", "state.sqlite3", "state.tmp", "server.py~"):
        (checkout / "todo" / file).write_bytes(b"x")
    (checkout / "second" / "js" / "app.js").write_text("")
    assert planned(checkout, "benchmark.app=[todo]").run == one.run
    for file in ("js/app.js", "server.py", "real-tasks/task_e1.py", "real-tasks.json"):
        before = planned(checkout, "benchmark.app=todo").run
        (checkout / "todo" / file).write_text("changed")
        assert planned(checkout, "benchmark.app=todo").run != before


def test_pages_are_told_the_place_that_the_applications_were_made_for(checkout: Path) -> None:
    assert planned(checkout).config["environment"]["locale"] == "en-US"
    assert planned(checkout, "environment.locale=de-DE").run != planned(checkout).run


def test_a_system_that_knows_none_of_the_tasks_is_refused(checkout: Path) -> None:
    done = Workspace(checkout.parent).snakemake(f"benchmark=webarena_infinity benchmark.path={checkout}")
    assert done.status != 0 and "Traceback" not in done.output
    assert "system=oracle: it has a way for no task of benchmark=webarena_infinity" in done.output


@pytest.mark.parametrize(
    "override, message",
    [
        ("benchmark.app=mail", r"benchmark.app=mail: .* has second, todo"),
        ("benchmark.path=/nowhere", "no folder with a server.py there"),
    ],
)
def test_a_wrong_checkout_is_named(checkout: Path, override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        planned(checkout, override)
