"""Published verdicts and human labels, which are never part of this repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPO

FOLDER = REPO.parent / "shared" / "data" / "judges"


def judge_data() -> Path:
    if not (FOLDER / "expected.json").is_file():
        pytest.skip(f"no published verdicts at {FOLDER}")
    return FOLDER


def expected(part: str) -> dict[str, dict[str, Any]]:
    figures: dict[str, dict[str, Any]] = json.loads((judge_data() / "expected.json").read_text())[part]
    return figures
