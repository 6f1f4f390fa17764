"""Archives as a source: the same trajectories, and no harm from what is in them."""

import gzip
import io
import json
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.exchange import made
from tests.exchange.conftest import Exchange, folders, tree
from webassay.errors import WebassayError
from webassay.exchange import archive


def zipped(path: Path, *members: tuple[str, bytes], link: str | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members:
            out.writestr(name, content)
        if link is not None:
            info = zipfile.ZipInfo("t1/link")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            out.writestr(info, link)
    return path


def tarred(path: Path, *members: tarfile.TarInfo, content: bytes = b"") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as out:
        for member in members:
            member.size = len(content) if member.isreg() else 0
            out.addfile(member, io.BytesIO(content))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, aim: str = "") -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.type, found.linkname = kind, aim
    return found


@pytest.mark.parametrize("form, suffix", [("zip", "zip"), ("gztar", "tar.gz"), ("gztar", "tgz")])
@pytest.mark.parametrize("name", ["webeval", "om2w", "atif"])
def test_an_archive_is_its_content(
    name: str, form: str, suffix: str, source: Path, dest: Path, bring: Exchange, tmp_path: Path
) -> None:
    made.MAKERS[name](source)
    packed = tmp_path / f"runs.{suffix}"
    if form == "zip":
        files = [path for path in sorted(source.rglob("*")) if path.is_file() and not path.is_symlink()]
        zipped(packed, *((str(path.relative_to(source)), path.read_bytes()) for path in files))
        if name == "webeval":
            (source / "t1" / "screenshot_2.png").unlink()
    else:
        with tarfile.open(packed, "w:gz") as out:
            out.add(source, arcname="")
    assert [one.fate for one in bring(packed, dest / "packed").moved] == ["written"]
    bring(source, dest / "plain")
    (there,), (here,) = folders(dest / "packed"), folders(dest / "plain")
    one, other = tree(there, there / "import.json"), tree(here, here / "import.json")
    assert [kept for kept, _ in one.values()] == [kept for kept, _ in other.values()]
    records = [json.loads((folder / "import.json").read_text()) for folder in (there, here)]
    assert [record.pop("source").split("/")[0] for record in records] == [packed.name, "source"]
    assert records[0].pop("path_digest") != records[1].pop("path_digest") and records[0] == records[1]


@pytest.mark.parametrize("name", ["../evil", "/tmp/webassay-evil", "a/../../evil", "..\\evil", "C:\\evil", "C:evil"])
def test_members_that_lead_out_are_refused(name: str, dest: Path, bring: Exchange, tmp_path: Path) -> None:
    for packed in (
        zipped(tmp_path / "in" / "a.zip", ("t1/web_surfer.log", b""), (name, b"x")),
        tarred(tmp_path / "in" / "a.tar.gz", member("t1/web_surfer.log"), member(name), content=b"x"),
    ):
        with pytest.raises(WebassayError, match=r"leads out of it; nothing of it was kept"):
            bring(packed, dest, "webeval")


@pytest.mark.parametrize("aim", ["/etc/passwd", "../../secret", "..", "a\\b", ""])
def test_links_that_lead_out_are_refused(aim: str, dest: Path, bring: Exchange, tmp_path: Path) -> None:
    with pytest.raises(WebassayError, match=r"link|cannot be unpacked"):
        bring(zipped(tmp_path / "a.zip", link=aim), dest, "webeval")
    with pytest.raises(WebassayError, match=r"link|cannot be unpacked"):
        bring(tarred(tmp_path / "a.tgz", member("t1/link", tarfile.SYMTYPE, aim)), dest, "webeval")


@pytest.mark.parametrize("kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.LNKTYPE], ids=["pipe", "device", "hard"])
def test_what_is_neither_file_nor_folder_is_refused(kind: bytes, dest: Path, bring: Exchange, tmp_path: Path) -> None:
    with pytest.raises(WebassayError, match="neither a file nor a folder"):
        bring(tarred(tmp_path / "a.tgz", member("t1/web_surfer.log", kind, "/etc/passwd")), dest, "webeval")


def test_the_same_name_twice_is_refused(dest: Path, bring: Exchange, tmp_path: Path) -> None:
    packed = tarred(tmp_path / "a.tgz", member("a"), member("a"), content=b"x")
    with pytest.raises(WebassayError, match="twice"):
        bring(packed, dest, "webeval")


def test_bombs_are_stopped_by_what_comes_out(
    dest: Path, bring: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "FREE_BYTES", 2**20)
    packed = zipped(tmp_path / "a.zip", ("t1/web_surfer.log", bytes(2**23)))
    with pytest.raises(WebassayError, match="too much for its size"):
        bring(packed, dest, "webeval")
    with gzip.open(tmp_path / "a.tgz", "wb") as out:
        out.write(member("big").tobuf()[:124] + b"00040000000\0" + bytes(2**23))
    with pytest.raises(WebassayError, match=r"too much for its size|cannot be unpacked"):
        bring(tmp_path / "a.tgz", dest, "webeval")


def test_a_header_larger_than_all_bounds_is_stopped_too(
    dest: Path, bring: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "FREE_BYTES", 2**20)
    packed = tarred(tmp_path / "a.tgz", member("x" * 2**23))
    with pytest.raises(WebassayError, match="too much for its size"):
        bring(packed, dest, "webeval")


def test_too_many_members(dest: Path, bring: Exchange, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 10)
    packed = zipped(tmp_path / "a.zip", *((str(number), b"") for number in range(11)))
    with pytest.raises(WebassayError, match="more than 10 members"):
        bring(packed, dest, "webeval")


@pytest.mark.parametrize("cut", [0, 3, 40, -30])
@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_broken_archives_are_named(name: str, cut: int, dest: Path, bring: Exchange, tmp_path: Path) -> None:
    packed = tmp_path / name
    (zipped(packed, ("a", b"x" * 99)) if name == "a.zip" else tarred(packed, member("a"), content=b"x" * 999))
    packed.write_bytes(packed.read_bytes()[: cut or 1])
    with pytest.raises(WebassayError, match=name):
        bring(packed, dest, "webeval")
