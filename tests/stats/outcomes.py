"""Tables of attempts for tests: written by hand, or those of public agents where a checkout lies beside their data."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import REPO

PUBLIC = REPO.parent / "shared" / "data" / "outcomes" / "webarena_outcomes.csv"


def attempts(rows: Iterable[tuple[str, str, float | None]], sites: str = "shop", run_id: str = "0") -> pd.DataFrame:
    """(task, template, score) of one run."""
    table = pd.DataFrame(list(rows), columns=["task_id", "template", "score"]).astype({"score": float})
    return table.assign(sites=sites, run_id=run_id)


def public() -> Path:
    if not PUBLIC.is_file():
        pytest.skip(f"no outcomes of public agents: {PUBLIC} is not there")
    return PUBLIC
