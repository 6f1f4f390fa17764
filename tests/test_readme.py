"""The README's worked examples, written to a copy of the repository and run as it says."""

import re
import shlex
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import REPO, Workspace

README = (REPO / "README.md").read_text()
FENCES = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
EXAMPLES = [text for _, text in FENCES if text.startswith("# ")]
OWN = README[README.index("## Add your own") : README.index("## Where a result lives")]
COMMANDS = [line for language, text in re.findall(r"```(\w+)\n(.*?)```", OWN, re.DOTALL) if language == "bash"
            for line in text.splitlines()]  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> list[pd.DataFrame]:
    """The scores after each command."""
    repo = tmp_path_factory.mktemp("clone")
    for name in ("config", "rules", "scripts", "Snakefile"):
        copy = shutil.copytree if (REPO / name).is_dir() else shutil.copy
        copy(REPO / name, repo / name)
    for example in EXAMPLES:
        name, _, content = example.removeprefix("# ").partition("\n")
        (repo / name).write_text(content)
    return [scores_after(command, repo) for command in COMMANDS]


def scores_after(command: str, repo: Path) -> pd.DataFrame:
    workspace, before = Workspace(repo), set(repo.glob("results/experiments/*/scores.csv"))
    words = shlex.split(command)
    assert words[:2] == ["webassay", "run"]
    done = workspace.run(
        sys.executable, "-c", f"import sys; sys.path.insert(0, {str(repo / 'scripts')!r}); "
        "from webassay.cli import main; sys.exit(main())", *words[1:],
    )  # fmt: skip
    assert done.status == 0, done.output
    (new,) = set(repo.glob("results/experiments/*/scores.csv")) - before
    return pd.read_csv(new)


def test_the_examples_are_all_there() -> None:
    assert len(EXAMPLES) == 5 and len(COMMANDS) == 4
    assert len(README.splitlines()) < 240


def test_the_example_system_passes_what_it_can_do(ran: list[pd.DataFrame]) -> None:
    means = ran[0].groupby("template")["score"].mean()
    assert means["shop-price"] == 1.0 and means["shop-review"] == 0.0
    assert set(ran[0]["execution"]) == {"answered"}


def test_the_example_task_is_passed(ran: list[pd.DataFrame]) -> None:
    assert list(ran[1]["score"]) == [1.0]


def test_the_example_judge_judges_the_same_run_and_its_option_counts(ran: list[pd.DataFrame]) -> None:
    assert set(ran[2]["judge"]) == {"verified", "brevity"} and ran[2]["run"].nunique() == 1
    assert set(ran[2][ran[2]["judge"] == "brevity"]["score"]) == {1.0}
    assert set(ran[3]["score"]) == {0.0} and set(ran[3]["run"]) == set(ran[2]["run"])
