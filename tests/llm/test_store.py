"""The store of replies: what a key depends on, one writer, broken entries; and asking through it, over real HTTP."""

import base64
import gzip
import hashlib
import io
import json
import tarfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.llm.scripted import Said, completion, scripted
from tests.llm.test_client import model, nowhere
from webassay.cli import main
from webassay.errors import ConfigError, ModelError, StoreError
from webassay.llm.asking import Ask, Asker, Hearing
from webassay.llm.client import Reply
from webassay.llm.pictures import picture, picture_part
from webassay.llm.sharing import merge, pack, verify
from webassay.llm.store import Entry, Store, entry_of, question_of

ASKED = [{"role": "user", "content": "How many?"}]
QUESTION = question_of("small", ASKED, {"temperature": 0.0})


def drawn(kind: str = "PNG", shade: int = 0) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 30), (shade, 90, 7)).save(stream, kind)
    return stream.getvalue()


def shown(path: Path) -> list[dict[str, Any]]:
    found = picture(path)
    assert found
    return [{"role": "user", "content": [picture_part(found)]}]


def kept(text: str = "Three.", question: Any = QUESTION) -> Entry:
    return entry_of(question, Reply(text, "small-1", {"prompt_tokens": 7}, "stop", "f"), 1.5)


def asker(folder: Path, *endpoints: str, mode: str = "record", **settings: Any) -> Asker:
    return Asker(model(*endpoints, **settings), {"mode": mode, "folder": str(folder), "parallel": 4})


def ask(asker: Asker, messages: Any = ASKED, repeat: int = 0) -> str:
    return asker.ask(Ask("verdict", messages, repeat), "task t").reply.text


def test_an_entry_is_read_as_it_was_written_and_lies_where_its_key_says(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.get(QUESTION.key) is None
    assert store.put(kept()) == store.get(QUESTION.key) == kept()
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert file == tmp_path / QUESTION.key[:2] / f"{QUESTION.key}.json.gz"
    told = json.loads(gzip.decompress(file.read_bytes()))
    assert told["question"]["messages"] == ASKED and told["reply"]["text"] == "Three."
    assert list(store.stored()) == [QUESTION.key]


def test_the_key_is_of_the_question_alone(tmp_path: Path) -> None:
    for shade, name in enumerate("ab"):
        (tmp_path / name).write_bytes(drawn(shade=shade))
    assert QUESTION.key == "aafa9588ebd25dac32e84b0cafe0705b641129422fbd8afe0073763ee25f3275"
    others = [
        question_of("large", ASKED, {"temperature": 0.0}),
        question_of("small", [{"role": "user", "content": "How much?"}], {"temperature": 0.0}),
        question_of("small", ASKED, {"temperature": 0.5}),
        question_of("small", ASKED, {}),
        question_of("small", ASKED, {"temperature": 0.0}, repeat=1),
        question_of("small", shown(tmp_path / "a"), {"temperature": 0.0}),
        question_of("small", shown(tmp_path / "b"), {"temperature": 0.0}),
    ]
    assert len({question.key for question in [QUESTION, *others]}) == 8


def test_a_picture_is_sent_whole_and_kept_as_its_digest(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(drawn())
    with scripted(completion("x")) as server:
        entry = asker(tmp_path / "llm", server.url).ask(Ask("verdict", shown(tmp_path / "a.jpg")), "task t")
    (kept_part,), (sent,) = entry.question.messages[0]["content"], server.requests[0]["messages"][0]["content"]
    digest = hashlib.sha256(drawn()).hexdigest()
    assert kept_part["image_url"] == {"url": f"sha256:{digest}", "detail": "high"}
    assert sent["image_url"]["url"] == "data:image/png;base64," + base64.b64encode(drawn()).decode()


@pytest.mark.parametrize("content", [None, b"", b"<html>", b"GIF89a"])
def test_what_is_no_picture_is_none(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "a.png").write_bytes(content)
    assert picture(tmp_path / "a.png") is None


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_that_was_cut_short_is_none(tmp_path: Path, kind: str) -> None:
    whole, path = drawn(kind), tmp_path / "a"
    for content, readable in ((whole, True), (whole + b"\0" * 9, True), (whole[:-5], False), (whole[:12], False)):
        path.write_bytes(content)
        assert (picture(path) is not None) == readable


def test_the_first_of_two_replies_stays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(kept("first"))
    assert store.put(kept("second")).reply.text == "first"


def test_writers_at_the_same_time_agree_on_one_reply(tmp_path: Path) -> None:
    start, seen = threading.Barrier(8), []

    def write(number: int) -> None:
        start.wait()
        seen.append(Store(tmp_path).put(kept(str(number))).reply.text)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8 and len(set(seen)) == 1 and len(list(tmp_path.rglob("*.*"))) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        gzip.compress(b"{}", mtime=0),
        gzip.compress(b'{"key": "', mtime=0),
        gzip.compress(b"[" * 100_000, mtime=0),
        b"\x1f\x8b\x08",
    ],
)
def test_a_broken_entry_is_named_in_replay_and_asked_again_in_record(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = Store(tmp_path).path(question_of("small", ASKED, {}).key)
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError, match=f"{path.name}.*broken"):
        ask(asker(tmp_path, mode="replay"))
    with scripted(completion("again")) as server:
        assert ask(asker(tmp_path, server.url)) == "again"
    assert path.name in caplog.text and path.with_name(path.name + ".broken").read_bytes() == content
    assert ask(asker(tmp_path, mode="replay")) == "again"


def test_of_two_that_find_an_entry_broken_the_second_leaves_the_new_one(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path)
    path = first.path(QUESTION.key)
    path.parent.mkdir()
    path.write_bytes(b"broken")
    first.set_aside(QUESTION.key)
    first.put(kept("first"))
    second.set_aside(QUESTION.key)
    assert second.put(kept("second")).reply.text == "first"


def test_replies_are_merged_into_a_store_with_a_broken_one(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    for number in range(3):
        here.put(kept(str(number), question_of("small", ASKED, {}, number)))
    broken = there.path(next(here.stored()))
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"broken")
    assert merge(there, tmp_path / "here").added == 3 and verify(there) == (3, [])
    assert broken.with_name(broken.name + ".broken").read_bytes() == b"broken"


def test_a_key_that_a_server_repeats_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_KEY", "sk-secret-1")
    with scripted(completion("Your key is sk-secret-1.")) as server:
        assert ask(asker(tmp_path, server.url, api_key_env="STORE_KEY")) == "Your key is [key]."
        monkeypatch.setenv("STORE_KEY", "key")
        assert ask(asker(tmp_path, server.url, api_key_env="STORE_KEY"), repeat=1) == "Your key is sk-secret-1."


def test_what_several_ask_at_the_same_moment_is_asked_once(tmp_path: Path) -> None:
    start = threading.Barrier(6)

    def slow(_: dict[str, Any]) -> Said:
        time.sleep(0.05)
        return completion("one")

    with scripted(slow) as server, ThreadPoolExecutor(6) as pool:
        shared = asker(tmp_path, server.url)

        def asking(number: int) -> str:
            start.wait()
            return ask(shared, repeat=number // 3)

        assert set(pool.map(asking, range(6))) == {"one"}
    assert len(server.requests) == 2


def test_an_entry_under_another_name_is_broken(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(kept())
    other = store.path(question_of("small", ASKED, {}).key)
    other.parent.mkdir(exist_ok=True)
    store.path(QUESTION.key).rename(other)
    good, problems = verify(store)
    assert good == 0 and len(problems) == 1 and "of another question" in problems[0]


def test_what_was_asked_once_is_not_asked_again(tmp_path: Path) -> None:
    said = iter([completion("one"), completion("two"), completion("three")])
    with scripted(lambda _: next(said)) as server:
        recording = asker(tmp_path, server.url)
        assert [ask(recording), ask(recording), ask(recording, repeat=1)] == ["one", "one", "two"]
        assert ask(asker(tmp_path, server.url, temperature=1.0)) == "three"
    assert len(server.requests) == 3
    assert ask(asker(tmp_path, nowhere(), timeout=1.0)) == "one", "another endpoint is no other question"


def test_replay_needs_neither_key_nor_endpoint_and_names_what_it_lacks(tmp_path: Path) -> None:
    with scripted(completion("one")) as server:
        ask(asker(tmp_path, server.url))
    replaying = asker(tmp_path, mode="replay", api_key_env="NO_SUCH_KEY")
    assert ask(replaying) == "one"
    key = question_of("small", ASKED, {}, repeat=4).key
    with pytest.raises(StoreError, match=f"no reply {key}, which task t needs for verdict"):
        ask(replaying, repeat=4)


def test_live_neither_reads_nor_writes(tmp_path: Path) -> None:
    said = iter([completion("one"), completion("two")])
    with scripted(lambda _: next(said)) as server:
        hearing = Hearing(asker(tmp_path, server.url, mode="live"), "task t")
        texts = [hearing.ask(Ask("verdict", ASKED)).text for _ in range(2)]
    assert texts == ["one", "two"] and list(tmp_path.iterdir()) == [] and not hearing.keys


def test_a_failure_is_not_stored(tmp_path: Path) -> None:
    with scripted(Said("{}", 429)) as server, pytest.raises(ModelError, match="RateLimit"):
        ask(asker(tmp_path, server.url))
    assert list(tmp_path.iterdir()) == []


def test_an_endpoint_that_fails_is_not_asked_all_the_rest(tmp_path: Path) -> None:
    asks = [Ask("score", [{"role": "user", "content": str(number)}]) for number in range(40)]
    with scripted(Said("{}", 500)) as server, pytest.raises(ModelError):
        asker(tmp_path, server.url).ask_all(asks, "task t")
    assert len(server.requests) < 40


def test_a_hearing_counts_tokens_by_step_and_lists_its_replies(tmp_path: Path) -> None:
    with scripted(completion("x")) as server:
        hearing = Hearing(asker(tmp_path, server.url), "task t")
        hearing.ask_all([Ask(f"score {number}", [{"role": "user", "content": str(number)}]) for number in range(9)])
        hearing.ask(Ask("verdict", ASKED))
    assert {step: (used.num_calls, used.prompt_tokens) for step, used in hearing.usage.items()} == {
        "score": (9, 63),
        "verdict": (1, 7),
    }
    assert list(hearing.keys)[-1] == question_of("small", ASKED, {}).key and len(hearing.keys) == 10


def test_text_that_is_no_text_is_asked_and_stored(tmp_path: Path) -> None:
    with scripted(completion("x")) as server:
        ask(asker(tmp_path, server.url), [{"role": "user", "content": "\ud800"}])
    assert verify(Store(tmp_path)) == (1, [])


@pytest.mark.parametrize("change", [{"mode": "cached"}, {"name": "none"}])
def test_mistakes_are_told_before_anything_is_asked(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        asker(tmp_path, **change)


def test_packed_replies_arrive_elsewhere(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    for number in range(3):
        here.put(kept(str(number), question_of("small", ASKED, {}, number)))
    there.put(kept("another", question_of("small", ASKED, {}, 2)))
    scores = tmp_path / "run" / "traj" / "t" / "scores"
    scores.mkdir(parents=True)
    named = list(here.stored())[:2]
    (scores / "judge-1.meta.json").write_text(json.dumps({"replies": named, "judge": {}}))
    assert pack(here, tmp_path / "some.tar", [tmp_path / "run"]) == 2 and pack(here, tmp_path / "all.tar", []) == 3
    done = merge(there, tmp_path / "all.tar")
    assert (done.added, done.same, done.different, done.broken) == (2, 0, 1, ())
    done = merge(there, tmp_path / "here")
    assert (done.added, done.same, done.different) == (0, 2, 1)
    assert verify(there) == (3, [])


def test_a_hostile_archive_adds_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "bad.tar"
    with tarfile.open(archive, "w") as tar:
        for name in ("../out.json.gz", f"ab/{'ab' * 32}.json.gz", f"/ab/{'ab' * 32}.json.gz", "x"):
            member = tarfile.TarInfo(name)
            member.size = 3
            tar.addfile(member, io.BytesIO(b"bad"))
    done = merge(Store(tmp_path / "store"), archive)
    assert done.added == 0 and len(done.broken) == 1 and not (tmp_path / "store").exists()
    archive.write_bytes(b"no archive")
    with pytest.raises(StoreError, match=r"bad\.tar: not an archive"):
        merge(Store(tmp_path / "store"), archive)


def test_the_command_line_packs_merges_and_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, there, archive = tmp_path / "here", tmp_path / "there", tmp_path / "all.tar"
    Store(here).put(kept())
    assert main(["judge-store", "pack", str(archive), "--store", str(here)]) == 0
    assert main(["judge-store", "merge", str(archive), "--store", str(there)]) == 0
    assert main(["judge-store", "verify", "--store", str(there)]) == 0
    assert "1 replies packed" in (said := capsys.readouterr().out) and "1 added" in said and "1 good" in said
    (there / "ab" / "reply.json.gz").parent.mkdir(exist_ok=True)
    (there / "ab" / "reply.json.gz").write_bytes(b"")
    Store(there).path(QUESTION.key).write_bytes(b"x")
    assert main(["judge-store", "verify", "--store", str(there)]) == 1
    assert QUESTION.key in (said := capsys.readouterr().out) and "reply.json.gz: no reply has such a name" in said
    assert main(["judge-store", "verify", "--store", str(tmp_path / "nope")]) == 2
    assert "nope: there is no such folder" in capsys.readouterr().err
