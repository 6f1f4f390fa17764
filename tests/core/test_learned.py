"""Whatever is decoded where judges work side by side was read by msgspec when its module was imported."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import REPO

PACKAGE = REPO / "scripts" / "webassay"
THREADED = ("core", "evidence", "llm", "judges", "benchmarks/webtailbench.py")
APART = {"llm/embedded.py", "llm/sharing.py", "judges/offline", "judges/release"}
"""One thread, in a process of its own."""
USED = re.compile(r"(?:type=|msgspec\.convert\([^\n]*, )(?:list\[)?([A-Z_]\w+)[\])]")


def sources() -> list[Path]:
    found = [path for room in THREADED for path in [PACKAGE / room, *(PACKAGE / room).rglob("*.py")] if path.is_file()]
    return [path for path in found if not any(str(path.relative_to(PACKAGE)).startswith(name) for name in APART)]


@cache
def learned() -> set[str]:
    nodes = [node for path in sources() for node in ast.walk(ast.parse(path.read_text()))]
    classes = (node for node in nodes if isinstance(node, ast.ClassDef))
    return {each.name for each in classes if "learned" in map(ast.unparse, each.decorator_list)}


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_is_decoded_by_its_type_is_learned(path: Path) -> None:
    assert set(USED.findall(path.read_text())) - {"Decoded", "None"} <= learned()
