"""Tables out of a bundle: byte-equal, or it is said which byte is not, and why."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Workspace
from tests.judges.asked import answering
from tests.llm.scripted import scripted
from tests.report.crate.made import OVERRIDES, flip, list_anew, replan, rewrite
from webassay.cli import main
from webassay.config.prompts import HERE
from webassay.report.crate.reproduce import reproduce

PROMPTS = HERE / "webvoyager"


def one(root: Path, pattern: str) -> Path:
    found = sorted(root.glob(pattern))
    assert found, pattern
    return found[0]


def test_what_is_made_again_is_byte_equal_and_every_score_was_judged_again(bundle: Path) -> None:
    done = reproduce(bundle, Path("again"))
    assert not done.problems and not done.taken and not done.notes
    assert done.judged == 16 and done.replies == 2 and done.tables == 33
    for path in Path("again/results").rglob("tables/*"):
        assert path.read_bytes() == (bundle / path.relative_to("again")).read_bytes()
    for root in (bundle, Path("again")):  # the page says what made it, and leads to it
        index = one(root, "results/experiments/*/report/index.html")
        assert OVERRIDES.split()[0] in index.read_text() and (index.parents[1] / "experiment.yaml").is_file()
    judged = {json.loads(path.read_text())["judged_at"] for path in Path("again/results").rglob("*.meta.json")}
    before = {json.loads(path.read_text())["judged_at"] for path in bundle.rglob("*.meta.json")}
    assert min(judged) > max(before)


def test_the_command_says_so(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", str(bundle)]) == 0
    said = "33 tables and files of scores byte-equal, 16 scores judged again, 2 stored replies used, 0 model calls"
    assert capsys.readouterr().out == f"{said}: bundle-again\n"


@pytest.mark.parametrize(
    "pattern",
    [
        "results/llm/*/*.json.gz",
        "results/runs/**/scores/*.meta.json",
        "results/runs/**/network.har",
        "results/runs/**/screenshot0.png",
        "results/experiments/*/tables/summary.csv",
        "plan.json",
        "ro-crate-metadata.json",
    ],
)
def test_a_flipped_byte_is_named_and_nothing_is_kept(
    bundle: Path, pattern: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = one(bundle, pattern)
    flip(path)
    assert main(["reproduce", str(bundle), "again"]) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"differs: {path.relative_to(bundle)}: changed: its sha256 is") and said.count("\n") == 1
    assert not Path("again").exists()


def test_a_missing_and_a_strange_file_are_named(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = one(bundle, "results/llm/*/*.json.gz")
    gone.unlink()
    (bundle / "results" / "extra.txt").write_text("x")
    assert main(["reproduce", str(bundle)]) == 1
    said = capsys.readouterr().out
    assert f"{gone.relative_to(bundle)}: missing" in said and "results/extra.txt: not in manifest-sha256.txt" in said


def test_another_answer_with_a_manifest_that_fits_is_another_score(bundle: Path) -> None:
    path = one(bundle, "results/runs/**/traj/right/right_final_answer.json")
    rewrite(path, '"42"', '"43"')
    list_anew(bundle)
    done = reproduce(bundle, Path("again"))
    problems = "\n".join(done.problems)
    assert "traj/right, webarena-" in problems and "score 1 in the bundle, 0 judged again" in problems
    assert "tables/summary.csv: byte " in problems and ", in line 2: " in problems


def test_a_reply_that_was_changed_with_care_is_named(bundle: Path) -> None:
    path = one(bundle, "results/llm/*/*.json.gz")
    path.write_bytes(
        gzip.compress(gzip.decompress(path.read_bytes()).replace(b'"model":"scripted"', b'"model":"other"'))
    )
    list_anew(bundle)
    problems = "\n".join(reproduce(bundle, Path("again")).problems)
    assert f"{path.relative_to(bundle)}: the stored reply is broken" in problems


def test_a_reply_that_is_not_there_is_named(bundle: Path) -> None:
    path = one(bundle, "results/llm/*/*.json.gz")
    path.unlink()
    list_anew(bundle)
    problems = "\n".join(reproduce(bundle, Path("again")).problems)
    assert f"has no reply {path.name.removesuffix('.json.gz')}" in problems


def test_a_table_that_was_changed_with_care_is_told_by_its_byte(bundle: Path) -> None:
    path = one(bundle, "results/experiments/*/tables/summary.md")
    flip(path, path.read_bytes().index(b"fara"))
    list_anew(bundle)
    done = reproduce(bundle, Path("again"))
    cause, byte = done.problems
    assert cause.startswith("no score differs, so other code")
    assert "tables/summary.md: byte " in byte and "'| gara" in byte


def test_a_judge_of_another_version_is_the_cause_that_is_told(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replan(bundle, "experiment", "runs", 0, "identity", "versions", "judge", value=7)
    assert main(["reproduce", str(bundle)]) == 2
    said = capsys.readouterr().err
    assert "VERSION 7 of webassay.judges.webarena:WebArena judged, here is VERSION 1" in said
    assert "judge it again with what judged it, webassay 0.1.0" in said and not Path("bundle-again").exists()


@pytest.mark.slow
def test_prompts_of_ones_own_go_along(experiment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new experiment over the same trajectories, whose judge has another wording."""
    own = tmp_path / "mine"
    shutil.copytree(PROMPTS, own)
    with (own / "verdict.txt").open("a") as stream:
        stream.write("\nBe kind.\n")
    with scripted(answering(lambda _, __: {"verdict": "failure", "evidence": [], "reason": "Not there."})) as server:
        words = f"{OVERRIDES} judge.model.endpoints=[{server.url}] judge=webvoyager judge.prompts={own}"
        done = Workspace(Path.cwd()).snakemake(words)
        assert done.status == 0 and len(server.requests) == 2, done.output
    assert main(["bundle", "--out", str(tmp_path / "kind.zip")]) == 0
    shutil.rmtree(own)
    monkeypatch.chdir(tmp_path)
    done = reproduce(Path("kind.zip"), Path("again"))
    assert not done.problems and (done.judged, done.replies) == (8, 2)
    assert one(Path("again"), "judge_prompts/*/verdict.txt").read_text().endswith("Be kind.\n")


def test_replies_that_were_not_kept_are_no_reason_to_ask_a_model(bundle: Path) -> None:
    """As with llm.mode=live: what was judged by them is taken over and told, the rest is judged again."""
    for path in bundle.rglob("scores/webvoyager-*.meta.json"):
        sidecar = json.loads(path.read_text())
        path.write_text(json.dumps(sidecar | {"replies": []}))
    shutil.rmtree(bundle / "results" / "llm")
    list_anew(bundle)
    done = reproduce(bundle, Path("again"))
    assert not done.problems and done.judged == 14
    assert "2 scores taken over: its replies were not kept" in done.taken[0]
