"""Sources that are broken or mean harm: each is told by name with its reason, the others go on, nothing is touched."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.exchange import made
from tests.exchange.conftest import Exchange, folders
from webassay.core.processes import child_environment, exclusive
from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError, TrajectoryError
from webassay.exchange.place import LOCK
from webassay.exchange.source import Source, folder_name

DEEP = b"[" * 10_000 + b"]" * 10_000


def reason(bring: Exchange, source: Path, dest: Path, name: str) -> str:
    """Of the one that is broken, beside a good one."""
    made.MAKERS[name](source.parent / "good")
    report = bring(source, dest, name)
    (moved,) = report.moved
    assert moved.fate == "skipped" and not folders(dest)
    return moved.reason


@pytest.mark.parametrize(
    "broken, message",
    [
        (None, "0 answer files"),
        (b"", "t1_final_answer.json"),
        (b'{"final_answer": "x', "t1_final_answer.json"),
        (b"[]", "an answer is an object"),
        (DEEP, "t1_final_answer.json"),
    ],
)
def test_answer_files(broken: bytes | None, message: str, source: Path, dest: Path, bring: Exchange) -> None:
    path = made.webeval(source) / "t1_final_answer.json"
    path.unlink()
    if broken is not None:
        made.put(path, broken)
    found = reason(bring, source, dest, "webeval")
    assert message in found and ".unfinished" not in found


def test_two_answer_files(source: Path, dest: Path, bring: Exchange) -> None:
    made.put(made.webeval(source) / "t2_final_answer.json", {})
    assert "2 answer files" in reason(bring, source, dest, "webeval")


@pytest.mark.parametrize("line", [b"{", DEEP, b"[1]", b'{"action": 7}', b"\xff\xfe", b'{"a": "' + b"x" * 2**20])
def test_a_broken_line_of_the_log_is_named(line: bytes, source: Path, dest: Path, bring: Exchange) -> None:
    path = made.webeval(source) / "web_surfer.log"
    path.write_bytes(path.read_bytes() + line + b"\n")
    assert f"{path}, line 5" in reason(bring, source, dest, "webeval")


def test_logs_as_other_systems_write_them(source: Path, dest: Path, bring: Exchange, send: Exchange) -> None:
    """A byte order mark, CRLF, blank and very long lines are legal here, and mended for webeval's own reader."""
    path = made.webeval(source) / "web_surfer.log"
    long = json.dumps({"message": "x" * 3_000_000, "type": "OtherEvent"}).encode()
    null = b'{"action": "wait", "arguments": null}'
    text = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n") + long + b"\n" + null
    path.write_bytes(text)
    bring(source, dest / "in")
    assert (dest / "in" / "t1" / "web_surfer.log").read_bytes() == text
    send(dest / "in", dest / "out", "webeval")
    events = [json.loads(line) for line in (dest / "out" / "t1" / "web_surfer.log").read_text().split("\n")[:-1]]
    assert len(events) == 6 and events[-1] == {"action": "wait", "arguments": {}}


@pytest.mark.parametrize(
    "name, document",
    [
        ("om2w", "result.json"),
        ("webvoyager", "interact_messages.json"),
        ("agentlab", "summary_info.json"),
        ("atif", "trajectory.json"),
    ],
)
@pytest.mark.parametrize("broken", [b"", b"{", b"null", b"7", b'"x"', b"[[]]", b"\xff", DEEP, b'{"steps": 1}'])
def test_documents(name: str, document: str, broken: bytes, source: Path, dest: Path, bring: Exchange) -> None:
    (path,) = made.MAKERS[name](source).rglob(document)
    path.write_bytes(broken)
    report = bring(source, dest, name)
    if report.moved[0].fate == "skipped":
        assert document in report.moved[0].reason
    else:  # a summary that tells nothing: the agent's last message stands
        assert name == "agentlab" and broken.startswith(b"{") and report.moved[0].folder
        assert Trajectory.from_folder(report.moved[0].folder).completed


@pytest.mark.parametrize("name", ["om2w", "webvoyager", "agentlab"])
def test_pictures_that_are_none_leave_a_gap(name: str, source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.MAKERS[name](source)
    frames = sorted(path for path in folder.rglob("*") if path.suffix in (".png", ".jpg") and "no_box" not in path.name)
    frames[1].write_bytes(b"<html>not found</html>")
    (moved,) = bring(source, dest).moved
    assert moved.folder and any("by its first bytes" in one.why for one in moved.left_out)
    names = [path.name for path in Trajectory.from_folder(moved.folder).screenshots]
    assert len(names) == len(frames) - 1 and not {"screenshot_2.png", "screenshot_2.jpg"} <= set(names)


@pytest.mark.parametrize("aim", ["/etc/passwd", "../../../secret.png", "loop.png", "/dev/zero"])
def test_links_out_of_the_source_are_not_followed(aim: str, source: Path, dest: Path, bring: Exchange) -> None:
    made.put(source.parent / "secret.png", made.PNG + b"secret")
    folder = made.om2w(source) / "trajectory"
    (folder / "0_full_screenshot.png").unlink()
    (folder / "0_full_screenshot.png").symlink_to("0_full_screenshot.png" if aim == "loop.png" else aim)
    (moved,) = bring(source, dest).moved
    assert moved.folder and [one.what for one in moved.left_out] == ["trajectory/0_full_screenshot.png"]
    assert not any(b"secret" in path.read_bytes() for path in moved.folder.rglob("*.png"))


def test_a_folder_of_frames_that_is_a_link_is_not_followed(source: Path, dest: Path, bring: Exchange) -> None:
    made.put(source.parent / "other" / "0.png", made.PNG + b"secret")
    folder = made.om2w(source)
    (folder / "trajectory").rename(source.parent / "moved")
    (folder / "trajectory").symlink_to(source.parent / "other")
    (moved,) = bring(source, dest).moved
    assert moved.folder and not list(moved.folder.glob("*.png"))


@pytest.mark.parametrize("path", ["../../../secret.png", "/etc/passwd", "images/\0.png", "x" * 5000, "", ".", "images"])
def test_names_of_pictures_in_a_document(path: str, source: Path, dest: Path, bring: Exchange) -> None:
    made.put(source.parent / "secret.png", made.PNG + b"secret")
    folder = made.atif(source)
    document = json.loads((folder / "trajectory.json").read_text())
    document["steps"][2]["observation"]["results"][0]["content"][1]["source"]["path"] = path
    made.put(folder / "trajectory.json", document)
    (moved,) = bring(source, dest).moved
    assert moved.folder and len(moved.left_out) >= 2 and not list(moved.folder.glob("*.png"))


def test_a_screenshot_that_the_answer_lists_outside(source: Path, dest: Path, bring: Exchange) -> None:
    made.put(made.webeval(source) / "t1_final_answer.json", {"screenshots": ["../../x.png"]})
    assert "leads out of the folder" in reason(bring, source, dest, "webeval")


@pytest.mark.parametrize(
    "task_id",
    [
        "../../evil",
        "/tmp/evil",
        "a/b",
        "..",
        ".",
        "",
        "x" * 300,
        "\0",
        "Wolfram Alpha--6",
        "é",
        ".hidden",
        "CON:",
        "\n",
    ],
)
def test_task_ids_never_become_paths(task_id: str, source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.om2w(source)
    made.put(folder / "result.json", json.loads((folder / "result.json").read_text()) | {"task_id": task_id})
    (moved,) = bring(source, dest).moved
    assert moved.folder and moved.folder.parent == dest and moved.folder.name == folder_name(task_id)
    told = json.loads((moved.folder / "import.json").read_text())["task_id"]
    assert told == task_id


def test_ids_that_look_alike_stay_apart() -> None:
    ids = ["a b", "a_b", "a/b", "a  b", "A b", "", ".", "x" * 200, "x" * 201]
    assert len({folder_name(one).casefold() for one in ids}) == len(ids)


def test_what_stands_in_dest_is_never_written_over(source: Path, dest: Path, bring: Exchange) -> None:
    made.om2w(source)
    bring(source, dest)
    made.put(dest / "t1" / "scores" / "judge.json", {"score": 1})  # a judge was here: no difference
    assert bring(source, dest).moved[0].fate == "standing"
    (dest / "t1" / "web_surfer.log").write_bytes(b"")
    (moved,) = bring(source, dest).moved
    assert moved.fate == "skipped" and "differs (web_surfer.log)" in moved.reason
    assert (dest / "t1" / "web_surfer.log").read_bytes() == b""


@pytest.mark.parametrize("there", ["file", "link", "empty"])
def test_something_else_of_that_name(there: str, source: Path, dest: Path, bring: Exchange) -> None:
    made.om2w(source)
    dest.mkdir()
    if there == "file":
        made.put(dest / "t1", b"x")
    elif there == "link":
        (dest / "t1").symlink_to(source)
    else:
        (dest / "t1").mkdir()
    assert "is there already and differs" in bring(source, dest).moved[0].reason


def test_two_runs_of_one_task(source: Path, dest: Path, bring: Exchange) -> None:
    made.om2w(source / "a", "T1")
    made.om2w(source / "b", "t1")
    first, second = bring(source, dest).moved
    assert first.fate == "written" and "came from" in second.reason and first.name in second.reason


def test_one_bad_among_many(source: Path, dest: Path, bring: Exchange) -> None:
    for number in range(4):
        made.om2w(source, f"t{number}")
    (source / "data" / "t2" / "result.json").write_bytes(b"{")
    report = bring(source, dest)
    assert [one.fate for one in report.moved] == ["written", "written", "skipped", "written"]
    assert report.moved[2].name == "data/t2/result.json" and "result.json: not valid JSON" in report.moved[2].reason
    assert len(bring(source, dest / "few", limit=2).moved) == 2


def test_a_folder_that_changes_while_it_is_read(source: Path) -> None:
    folder = made.om2w(source)
    for change in (
        lambda: (folder / "trajectory" / "11.png").write_bytes(made.PNG),
        lambda: (folder / "result.json").write_bytes(b"{} "),
        lambda: (folder / "result.json").unlink(),
    ):
        found = Source(source, folder)
        found.read("result.json")
        found.names("trajectory")
        change()
        with pytest.raises(TrajectoryError, match="changed while it was read"):
            found.require_unchanged()


def test_pipes_and_sockets_do_not_hang(source: Path, dest: Path, bring: Exchange) -> None:
    folder = made.webeval(source)
    os.mkfifo(folder / "pipe.json")
    (moved,) = bring(source, dest).moved
    assert moved.fate == "written" and [one.what for one in moved.left_out] == ["pipe.json"]
    (folder / "web_surfer.log").unlink()
    os.mkfifo(folder / "web_surfer.log")
    assert "no such file" in bring(source, dest / "2", "webeval").moved[0].reason


def test_folders_in_folders_end(source: Path, dest: Path, bring: Exchange) -> None:
    (made.webeval(source) / "/".join("a" * 30)).mkdir(parents=True)
    assert "folders in folders" in reason(bring, source, dest, "webeval")


def test_requests_that_cannot_be_met(source: Path, dest: Path, bring: Exchange, tmp_path: Path) -> None:
    folder = made.webeval(source)
    cases: list[tuple[Any, Any, str | None, str]] = [
        (tmp_path / "none", dest, None, "no such file"),
        (source, dest, "nonsense", "no such format"),
        (source, source / "in", None, "lies in the source"),
        (source, source, None, "lies in the source"),
        (source, folder / "core.log" / "x", None, "lies in the source"),
        (source, dest, "atif", "no trajectory of format atif"),
        (folder / "times.json", dest, None, "give --format"),
    ]
    for given, to, name, message in cases:
        with pytest.raises(ConfigError, match=message):
            bring(given, to, name)
    blocked = made.put(tmp_path / "file", b"")
    with pytest.raises(ConfigError, match="cannot be made"):
        bring(source, blocked / "dest")


def test_a_killed_import_leaves_whole_trajectories(source: Path, dest: Path, bring: Exchange) -> None:
    for number in range(60):
        made.om2w(source, f"t{number:02}")
    words = [sys.executable, "-m", "webassay.cli", "import", str(source), str(dest)]
    process = subprocess.Popen(words, env=child_environment(), stdout=subprocess.DEVNULL)
    while process.poll() is None and not (dest / "t05").exists():
        time.sleep(0.002)
    process.kill()
    process.wait()
    made.put(dest / ".unfinished-killed" / "t59" / "web_surfer.log", b"")
    for folder in dest.glob("t*"):
        assert len(Trajectory.from_folder(folder, strict=True).screenshots) == 4
    report = bring(source, dest)
    assert len(report.of("standing")) >= 6 and len(folders(dest)) == 60 and not report.of("skipped")


@pytest.mark.slow  # five seconds of patience
def test_two_at_a_time_do_not_meet(source: Path, dest: Path) -> None:
    made.om2w(source)
    with exclusive(dest / LOCK):
        holder = subprocess.run(
            [sys.executable, "-m", "webassay.cli", "import", str(source), str(dest)],
            env=child_environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert holder.returncode == 2 and "another process holds this lock" in holder.stderr
