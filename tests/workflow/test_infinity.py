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
HOW = ("honest", "second_window", "peeking", "nothing", *FORGERS)
"""What the agent does on the application of this name."""


@pytest.fixture(scope="module")
def verdicts(shared_workspace: Workspace) -> dict[str, Any]:
    """One run over a checkout of nine applications: each a copy of the same, named after what its agent does."""
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
    assert passed == {"honest-real-task_e1", "honest-function-task_1", "second_window-real-task_e1"}, told
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


def test_whoever_reads_the_verifiers_scores_nothing(verdicts: dict[str, Any]) -> None:
    sidecar = verdicts["peeking-real-task_e1"]
    assert json.loads((sidecar["folder"] / "verifier.json").read_text())["passed"]
    assert (sidecar["judgement"]["score"], sidecar["attribution"]) == (0.0, "agent")
    assert sidecar["judgement"]["reason"] == "read the answers: GET /real-tasks/task_e1.py"


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
    (checkout / "todo" / "__pycache__" / "server.pyc").write_bytes(b"x")
    (checkout / "second" / "js" / "app.js").write_text("")
    assert planned(checkout, "benchmark.app=[todo]").run == one.run
    for file in ("js/app.js", "server.py", "real-tasks/task_e1.py", "real-tasks.json"):
        before = planned(checkout, "benchmark.app=todo").run
        (checkout / "todo" / file).write_text("changed")
        assert planned(checkout, "benchmark.app=todo").run != before


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
