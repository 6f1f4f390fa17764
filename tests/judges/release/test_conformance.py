"""The verdicts of webarena-verified 1.2.3 on 15,783 whole tasks: the same scores and the same statuses, all of them."""

import json
import os
import re
import subprocess
import sys
from typing import Any

from tests.conftest import REPO
from tests.judges.release.corpus import FOLDER, cases, needs_corpus
from tests.released import released
from webassay.judges.verified import evaluate

pytestmark = needs_corpus
RUNNER = REPO.parent / "shared" / "bin" / "wav_conformance.py"


def test_the_conformance_runner_finds_full_agreement() -> None:
    command = [sys.executable, str(RUNNER), "webassay.judges.verified:evaluate", "--profile", "release"]
    done = subprocess.run(
        [*command, "--dataset", str(released() / "webarena-verified.json"), "--show", "5"],
        env=os.environ | {"PYTHONPATH": str(REPO / "scripts")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    total = done.stdout.splitlines()[-1]
    assert re.fullmatch(
        r"TOTAL \d{5} cases, agreement 100\.000 %, false positives 0, false negatives 0, other status 0", total
    ), total


def test_no_adversarial_case_passes_under_paper(wav_records: list[dict[str, Any]]) -> None:
    tasks = {record["task_id"]: record for record in wav_records}
    environments = json.loads((FOLDER / "configs.json").read_text())["environments"]
    found = [
        evaluate(tasks[case["task_id"]], case["response"], case["har"], environments=environments[case["config"]])
        for case in cases("adversarial")
    ]
    assert len(found) == 393 and {verdict.score for verdict in found} == {0.0}
