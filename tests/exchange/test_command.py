"""`webassay import` and `webassay export`: what they say, and their exit status."""

from pathlib import Path

import pytest

from tests.exchange import made
from tests.exchange.conftest import folders
from webassay.cli import main


def test_a_round_by_the_command_line(source: Path, dest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.om2w(source)
    assert main(["import", str(source), str(dest / "in")]) == 0
    assert f"format om2w: 1 written to {dest / 'in'}, 0 stood already, 0 skipped" in capsys.readouterr().out
    assert main(["import", "--format", "om2w", str(source), str(dest / "in")]) == 0
    assert "0 written" in capsys.readouterr().out
    assert main(["export", "--format", "atif", str(dest / "in"), str(dest / "out")]) == 0
    assert (dest / "out" / "t1" / "trajectory.json").is_file()


def test_something_skipped_is_told_and_is_status_1(
    source: Path, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(30):
        (made.om2w(source, f"t{number}") / "result.json").write_bytes(b"{")
    made.webvoyager(source)
    assert main(["import", "--format", "om2w", str(source), str(dest)]) == 1
    said = capsys.readouterr()
    assert "0 written" in said.out and "30 skipped" in said.out
    assert "skipped data/t0/result.json: " in said.err and "… and 10 more" in said.err


def test_what_was_left_out_is_summed_up(source: Path, dest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.agentlab(source)
    assert main(["import", str(source), str(dest)]) == 0
    assert "left out 2 × a pickle, which is never loaded (such as exp_args.pkl)" in capsys.readouterr().err


def test_names_cannot_steer_a_terminal(source: Path, dest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.put(source / "\x1b[2Jevil" / "result.json", b"{")
    assert main(["import", str(source), str(dest)]) == 1
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, message",
    [
        (["import", "none", "dest"], "no such file or folder"),
        (["import", "x.tar.xz", "dest"], "x.tar.xz: archives are .zip, .tar.gz, .tgz; unpack it"),
        (["import", "--format", "x", "source", "dest"], "no such format; there are webeval"),
        (["export", "--format", "webvoyager", "source", "dest"], "exports are webeval, om2w, webarena_verified, atif"),
        (["export", "--format", "atif", "source", "dest"], "no trajectory in it"),
    ],
)
def test_mistakes_are_status_2(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "x.tar.xz").touch()
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "dest").is_file()


@pytest.mark.parametrize(
    "words", [["import", "a"], ["import", "a", "b", "c"], ["import", "a", "b", "--limit", "0"], ["export", "a", "b"]]
)
def test_what_argparse_refuses(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "usage: webassay" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["import", "export"])
def test_help_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    said = capsys.readouterr().out
    assert "examples:" in said and f"webassay {command} " in said and "DEST/<task_id>/" in said.replace("\n", "")


@pytest.fixture
def run(source: Path) -> Path:
    """A run as it lies on disk while it goes on."""
    made.webassay(source / "traj", "right")
    for aside in ("running/right", "running/inprogress", "superseded/right/abcd"):
        folder = made.webassay(source, aside)
        made.put(folder / "web_surfer.log", made.lines({"action": "wait", "arguments": {}}))
        (folder / f"{aside}_final_answer.json").rename(folder / f"{folder.name}_final_answer.json")
    return source


@pytest.mark.parametrize("words", [["export", "--format", "atif"], ["import", "--format", "webassay"], ["import"]])
def test_of_a_run_only_what_is_finished_is_taken(run: Path, dest: Path, words: list[str]) -> None:
    assert main([*words, str(run), str(dest)]) == 0
    (taken,) = folders(dest)
    assert taken.name == "right" and "wait" not in "".join(path.read_text() for path in taken.glob("*.log"))


@pytest.mark.parametrize("words", [["export", "--format", "om2w"], ["import"]])
def test_an_answer_without_a_log_is_skipped_aloud(
    source: Path, dest: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (made.webeval(source) / "web_surfer.log").unlink()
    assert main([*words, str(source), str(dest)]) == 1
    assert "web_surfer.log: no such file" in capsys.readouterr().err and not folders(dest)


def test_limit(source: Path, dest: Path) -> None:
    for number in range(3):
        made.om2w(source, f"t{number}")
    assert main(["import", str(source), str(dest), "--limit", "2"]) == 0
    assert [path.name for path in folders(dest)] == ["t0", "t1"]
