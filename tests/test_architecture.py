"""The import table of the package, and the linters."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPO

PACKAGE = REPO / "scripts" / "webassay"
LAYERS = [
    {"errors", "core"},
    {"config", "llm", "matching", "evidence", "stats"},
    {"benchmarks", "sites", "exchange"},
    {"systems", "judges"},
    {"report"},
    {"cli", "stage", "bench"},
]
"""Imports go from a later line to an earlier one, or stay in their own room."""
ONLY_IN = {
    "hydra": {"config"},
    "playwright": {"systems", "bench"},
    "openai": {"llm"},
    "xllamacpp": {"llm"},
    "django": {"sites"},
    "oscar": {"sites"},
    "machina": {"sites"},
    "wiki": {"sites"},
    "helpdesk": {"sites"},
    "snakemake": set(),
}


def rooms() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def imports(path: Path) -> set[str]:
    """Modules a file imports anywhere in it, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            found |= {
                f"{node.module}.{alias.name}" if node.module == "webassay" else node.module for alias in node.names
            }
    return found


def layer(room: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if room in names)


@pytest.mark.parametrize("path", rooms(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    for module in imports(path):
        if module.startswith("webassay."):
            other = room_of(module)
            if other.startswith("__") or other == own or (own, other) == ("core", "errors"):
                continue
            assert layer(other) < layer(own), f"{own} imports {module}"
        elif (top := module.split(".")[0]) in ONLY_IN:
            assert own in ONLY_IN[top], f"{own} imports {module}"


def test_every_room_has_its_place_in_the_table() -> None:
    found = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in rooms()} - {"__init__"}
    assert found <= set().union(*LAYERS)


def test_each_rule_has_a_script_and_a_file_of_its_name() -> None:
    rules = {path.stem for path in (REPO / "rules").glob("*.smk")}
    assert rules == {path.stem for path in (REPO / "scripts").glob("*.py")}
    included = [
        line.split("/")[1].split(".")[0]
        for line in (REPO / "Snakefile").read_text().splitlines()
        if line.startswith("include:")
    ]
    assert set(included) == rules


@pytest.mark.parametrize(
    "command", [["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]], ids=lambda words: " ".join(words)
)
def test_linters_are_content(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=REPO, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
