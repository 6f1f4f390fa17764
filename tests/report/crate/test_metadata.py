"""`ro-crate-metadata.json`: of itself, and as roc-validator sees it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPO
from webassay.core.python_environment import python_with
from webassay.errors import WebassayError

HERE = Path(__file__).parent
CONTEXT = HERE / "context.json"
PROFILES = ("ro-crate-1.2", "process-run-crate-0.5", "workflow-ro-crate-1.0", "workflow-run-crate-0.5")


def graph(bundle: Path) -> dict[str, dict[str, Any]]:
    entities = json.loads((bundle / "ro-crate-metadata.json").read_text())["@graph"]
    known = {entity["@id"]: entity for entity in entities}
    assert len(known) == len(entities)
    return known


def test_they_name_only_what_is_there(bundle: Path) -> None:
    known = graph(bundle)
    root, run = known["./"], known["#run"]
    for part in root["hasPart"]:
        assert (bundle / part["@id"]).exists() and part["@id"] in known
    for name in ("runs", "datasets", "experiments", "llm"):
        assert any(each.startswith(f"results/{name}/") for each in known)
    assert all(each["@id"] in known for each in (*run["object"], *run["result"], run["instrument"], root["license"]))
    assert root["datePublished"] == run["endTime"][:10] and run["startTime"] <= run["endTime"]
    sha256 = known[next(name for name in known if name.endswith("tables/summary.csv"))]["sha256"]
    assert f"{sha256}  " in (bundle / "manifest-sha256.txt").read_text()


def test_every_word_in_them_is_a_term_of_ro_crate(bundle: Path) -> None:
    terms = json.loads(CONTEXT.read_text())["@context"]
    for entity in graph(bundle).values():
        kinds = entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]]
        assert {*kinds, *(key for key in entity if not key.startswith("@"))} <= terms.keys()


@pytest.mark.slow
def test_the_validator_finds_nothing_that_is_required(bundle: Path, tmp_path: Path) -> None:
    """RO-Crate 1.2 itself, and of each run profile its own rules: of these the validator knows 0.5, made for 1.1."""
    try:
        python = python_with(REPO / "envs" / "rocrate_validator.lock", tmp_path / "validator")
    except WebassayError as error:
        pytest.skip(str(error))
    command = [str(python), str(HERE / "validator.py"), str(bundle), str(CONTEXT), *PROFILES]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said.keys() == set(PROFILES)
    assert not [issue for issues in said.values() for issue in issues if issue[0] == "REQUIRED"], done.stdout
    assert said["workflow-run-crate-0.5"] == []
    broken = bundle / "ro-crate-metadata.json"
    broken.write_text(broken.read_text().replace('"mainEntity"', '"about"'))
    done = subprocess.run(command, capture_output=True, text=True)
    assert any(issue[0] == "REQUIRED" for issue in json.loads(done.stdout.splitlines()[-1])[PROFILES[3]])
