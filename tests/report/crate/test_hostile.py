"""Bundles that somebody made to harm: refused in one line, and nothing is written outside of DEST."""

import os
import zipfile
from pathlib import Path

import pytest

from tests.report.crate.made import MANIFEST, list_anew, replan
from webassay.cli import main


def tree(folder: Path) -> set[str]:
    return {os.path.join(where, name) for where, folders, files in os.walk(folder) for name in (*folders, *files)}


def refused(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of it, after a look at what was written."""
    before = tree(path.parent)
    assert main(["reproduce", str(path), "again"]) == 2
    assert not Path("again").exists() and tree(path.parent) == before
    said = capsys.readouterr().err
    assert said.startswith("webassay: ") and said.count("\n") == 1 and "Traceback" not in said
    return said


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    return tmp_path


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/tmp/webassay-evil", "..\\evil", "C:\\evil"])
def test_names_that_lead_out(here: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("plan.json", "{}")
        archive.writestr(name, "x")
    assert "leads out of it" in refused(path, capsys)
    assert not Path("/tmp/webassay-evil").exists()


def test_links(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / "b.zip"
    for aim in ("/etc/passwd", "plan.json"):
        with zipfile.ZipFile(path, "w") as archive:
            member = zipfile.ZipInfo("results")
            member.external_attr = 0o120777 << 16
            archive.writestr(MANIFEST, "")
            archive.writestr(member, aim)
        assert "link" in refused(path, capsys)


def test_the_same_name_twice(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / "b.zip"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("plan.json", "{}")
        archive.writestr("plan.json", "[]")
    assert "is in it twice" in refused(path, capsys)


def test_a_bomb(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / "b.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("plan.json", b"\0" * (80 << 20))
    assert "too much for its size" in refused(path, capsys)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04nonsense", b"not a zip at all"])
def test_what_is_no_archive(here: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "b.zip").write_bytes(content)
    assert "cannot be unpacked" in refused(here / "b.zip", capsys)


@pytest.mark.parametrize(
    "line", ["nonsense", f"{'0' * 64}  ../evil", f"{'0' * 64}  /etc/passwd", f"{'0' * 64}  a//b", "\0" * 70]
)
def test_a_manifest_of_another_kind(bundle: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    (bundle / MANIFEST).write_text(f"{line}\n")
    assert f"{MANIFEST}, line 1: " in refused(bundle, capsys)


def test_links_and_pipes_in_a_folder(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = bundle / "results" / "more"
    for make in (lambda: path.symlink_to("/etc"), lambda: path.symlink_to("gone"), lambda: os.mkfifo(path)):
        make()
        assert "'results/more' is neither a file nor a folder" in refused(bundle, capsys)
        path.unlink()


@pytest.mark.parametrize("name", [MANIFEST, "plan.json"])
def test_what_every_bundle_has(bundle: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (bundle / name).unlink()
    if name != MANIFEST:
        list_anew(bundle)
    assert f"there is no {name}: not a bundle" in refused(bundle, capsys)


RUN = ("experiment", "runs", 0)


@pytest.mark.parametrize(
    "keys, value, said",
    [
        (("form",), 2, "this webassay reads form 1"),
        (("experiment", "name"), "../../evil", "cannot name a folder"),
        ((*RUN, "parts"), ["..", "..", "..", "..", "evil"], "cannot name a folder"),
        ((*RUN, "eval_hash"), "/tmp/evil", "cannot name a folder"),
        ((*RUN, "config", "system", "name"), "../../../../../../../evil", "is no name of a system"),
        ((*RUN, "config", "model", "name"), "a\\..\\evil", "is no name of a system"),
        ((*RUN, "config", "benchmark", "name"), "a\nb", "is no name of a system"),
        (("experiment", "runs"), [], "plans no run"),
        ((*RUN, "config"), {}, "not a plan"),
        ((*RUN, "config", "judge", "llm"), {"mode": "record", "folder": "x", "parallel": 1}, "would not go by"),
        ((*RUN, "config", "judge", "options"), {"llm": {"mode": "live"}}, "would not go by"),
        ((*RUN, "config", "judge", "prompts"), "/etc", "prompts are not in judge_prompts"),
        ((*RUN, "config", "judge", "prompts"), "judge_prompts/../..", "prompts are not in judge_prompts"),
    ],
)
def test_plans_that_name_other_places(
    bundle: Path, keys: tuple[str | int, ...], value: object, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    replan(bundle, *keys, value=value)
    assert said in refused(bundle, capsys)


@pytest.mark.parametrize("content", ["", "[1]", "\x00", "{", "[" * 100_000])
def test_a_plan_that_is_no_json(bundle: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    (bundle / "plan.json").write_text(content)
    list_anew(bundle)
    assert "plan.json: not a plan" in refused(bundle, capsys)


@pytest.mark.parametrize("kind", ["subprocess:Popen", "os:system", "webassay.judges.lifecycle:judge_case"])
def test_code_that_is_no_judge_of_ours_is_never_called(
    bundle: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    replan(bundle, *RUN, "config", "judge", "kind", value=kind)
    replan(bundle, *RUN, "config", "judge", "options", value={"args": ["touch", "evil"]})
    assert main(["reproduce", str(bundle), "again"]) == 0
    said = capsys.readouterr().out
    assert "8 scores taken over: " in said and kind in said and "8 scores judged again" in said
    assert not list(Path.cwd().rglob("evil"))


def test_a_folder_with_something_in_it_is_no_destination(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("again").mkdir()
    Path("again/mine.txt").write_text("mine")
    assert main(["reproduce", str(bundle), "again"]) == 2
    assert "has to be a new folder" in capsys.readouterr().err and Path("again/mine.txt").read_text() == "mine"
