"""Cases with the verdicts of webarena-verified 1.2.3, where a checkout has them beside it."""

import gzip
import json
from typing import Any

import pytest

from tests.conftest import REPO

FOLDER = REPO.parent / "shared" / "data" / "wav"
needs_corpus = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no cases of webarena-verified in {FOLDER}")


def cases(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]
