"""Recordings in all their shapes: what a real browser writes is read, and nothing outside the recording."""

import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from tests.evidence.recording import entry
from webassay.errors import TrajectoryError
from webassay.evidence import trace
from webassay.evidence.har import last_document
from webassay.evidence.trace import read_trace
from webassay.systems.browser import find_browser

FORM = b"<form method=post action=/save><input name=name value='a b&c'><button>Save</button></form>"


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer("text/html", b"<h1>Framed</h1><iframe src=/inner>" if self.path == "/framed" else FORM)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer("application/json", b'{"saved": true}')

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """One visit and one posted form, recorded in four ways by a real browser."""
    folder = tmp_path_factory.mktemp("recordings")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    names = ("network.har", "har.zip", "trace.zip", "attach.har", "omit.har", "unpacked", "framed.har")
    paths = {name: folder / name for name in names}
    with sync_playwright() as playwright:
        mapped = "--host-resolver-rules=MAP plain.test 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=find_browser(None), args=["--no-sandbox", mapped])
        for name in names[:5]:
            har: dict[str, Any] = {} if name == "trace.zip" else {"record_har_path": paths[name]}
            if name in ("attach.har", "omit.har"):
                har["record_har_content"] = name.removesuffix(".har")
            context = browser.new_context(**har)
            context.tracing.start(snapshots=True)
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            page.click("button")
            page.wait_for_url("**/save")
            page.wait_for_load_state("networkidle")
            context.tracing.stop(path=paths["trace.zip"] if name == "trace.zip" else None)
            context.close()
        context = browser.new_context(record_har_path=paths["framed.har"])
        context.new_page().goto(f"http://plain.test:{server.server_port}/framed", wait_until="networkidle")
        context.close()
        browser.close()
    server.shutdown()
    with zipfile.ZipFile(paths["trace.zip"]) as archive:
        archive.extractall(paths["unpacked"])
    yield paths


@pytest.mark.parametrize("name", ["network.har", "har.zip", "attach.har", "trace.zip", "unpacked"])
def test_what_a_browser_recorded_is_read_with_its_bodies(recordings: dict[str, Path], name: str) -> None:
    events = read_trace(recordings[name])
    page, posted = events[0], next(event for event in events if event.method == "POST")
    assert page.is_document and page.status == 200
    assert posted.request.body and posted.request.body.text == "name=a+b%26c"
    assert posted.response.body and json.loads(posted.response.body.text or "") == {"saved": True}


def test_a_body_that_the_recorder_left_out_can_be_told_from_none(recordings: dict[str, Path]) -> None:
    posted = next(event for event in read_trace(recordings["omit.har"]) if event.method == "POST")
    assert posted.request.body and not posted.request.body.text and posted.request.body_size > 0


def test_a_frame_is_no_page_also_where_the_browser_sends_no_header_for_it(recordings: dict[str, Path]) -> None:
    events = read_trace(recordings["framed.har"])
    documents = [event.url.rpartition("/")[2] for event in events if event.resource_type == "document"]
    assert documents == ["framed", "inner"]
    end = last_document(events)
    assert end is not None and events[end].url.endswith("/framed")


def zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), text)
    return path


def line(**more: object) -> str:
    return json.dumps({"type": "resource-snapshot", "snapshot": entry("http://a.b/", method="POST") | more})


def test_other_lines_of_a_trace_are_passed_over(tmp_path: Path) -> None:
    text = "\n".join([json.dumps({"type": "context-options", "browser": {}}), line(), ""])
    assert len(read_trace(zipped(tmp_path / "trace.zip", trace_network=text))) == 1


def test_a_body_outside_the_recording_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    folder = tmp_path / "trace"
    (folder / "resources").mkdir(parents=True)
    recorded = entry("http://a.b/", method="POST")
    recorded["request"]["postData"] = {"mimeType": "text/plain", "_sha1": "../../secret.txt"}
    (folder / "trace.network").write_text(json.dumps({"type": "resource-snapshot", "snapshot": recorded}))
    (event,) = read_trace(folder)
    assert event.request.body and event.request.body.text is None


@pytest.mark.parametrize(
    "members, message",
    [
        ({}, "0 HAR files"),
        ({"a_har": "{}", "b_har": "{}"}, "2 HAR files"),
        ({"a_har": "{}"}, "not a HAR"),
        ({"trace_network": "{"}, "not a HAR"),
    ],
)
def test_a_zip_without_a_recording_is_named(tmp_path: Path, members: dict[str, str], message: str) -> None:
    path = zipped(tmp_path / "trace.zip", **members)
    with pytest.raises(TrajectoryError, match=message) as raised:
        read_trace(path)
    assert str(path) in str(raised.value)


def test_a_zip_that_is_none_or_bursts_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "trace.zip"
    broken.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(TrajectoryError, match="not a HAR"):
        read_trace(broken)
    monkeypatch.setattr(trace, "MAX_BYTES", 1 << 16)
    with pytest.raises(TrajectoryError, match="too large to be judged"):
        read_trace(zipped(tmp_path / "bomb.zip", a_har=" " * (1 << 20)))


def test_bodies_beside_a_recording_have_a_bound_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = entry("http://a.b/", method="POST")
    recorded["request"]["postData"] = {"mimeType": "text/plain", "_sha1": "x.txt"}
    lines = "\n".join(json.dumps({"type": "resource-snapshot", "snapshot": recorded}) for _ in range(50))
    path = zipped(tmp_path / "trace.zip", trace_network=lines, resources__x_txt="y" * (1 << 20))
    assert len(read_trace(path)) == 50  # the one file is read once
    monkeypatch.setattr(trace, "MAX_ATTACHED", 1 << 16)
    with pytest.raises(TrajectoryError, match="too large to be judged"):
        read_trace(path)


@pytest.mark.parametrize("broken", ["encrypted", "lzma"])
def test_a_member_that_cannot_be_read_is_named(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "trace.zip"
    method = zipfile.ZIP_LZMA if broken == "lzma" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("trace.network", line() * 50)
    content = bytearray(path.read_bytes())
    if broken == "encrypted":
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
    else:
        content[60:80] = bytes(20)
    path.write_bytes(content)
    with pytest.raises(TrajectoryError, match=str(path)):
        read_trace(path)


def test_a_recording_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "network.har"
    with path.open("wb") as sparse:
        sparse.truncate(2 << 30)
    with pytest.raises(TrajectoryError, match="larger than 1024 MiB"):
        read_trace(path)
