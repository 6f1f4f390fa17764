"""A copy of an environment's sites is ready only when it is its own process that answers."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from webassay.errors import EnvironmentFault
from webassay.sites.site import Sites

SERVER = """
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(sys.argv[2].encode())
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""


def environment(text: str = "Welcome", port: int = 0, command: list[str] | None = None) -> dict[str, Any]:
    site = {"url": "http://site.localhost", "ready_path": "/", "ready_text": "Welcome"}
    started = command or ["{python}", "-c", SERVER, "{port}", text]
    return {"name": "own", "database": "db", "port": port, "start_timeout": 3.0, "accounts": {}, "command": started,
            "sites": {"site": site}}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "db").write_bytes(b"seeded")
    return tmp_path / "data"


def test_anyones_server_is_started_reset_and_stopped(data: Path, tmp_path: Path) -> None:
    with Sites(environment(), data, tmp_path) as sites:
        assert sites.alive and sites.answers()
        sites.database.write_bytes(b"changed")
        sites.reset()
        assert sites.database.read_bytes() == b"seeded"
    assert not sites.alive


def test_a_site_that_shows_something_else_is_not_ready(data: Path, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="did not show its ready_text within 3 s"):
        Sites(environment("No products found"), data, tmp_path).__enter__()


def test_a_command_that_ends_is_told_with_its_last_words(data: Path, tmp_path: Path) -> None:
    command = ["{python}", "-c", "import sys; sys.exit('no licence')"]
    with pytest.raises(EnvironmentFault, match=r"did not start on port .*: no licence"):
        Sites(environment(command=command), data, tmp_path).__enter__()


class Impostor(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Welcome")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def test_another_process_on_the_port_is_not_taken_for_the_site(data: Path, tmp_path: Path) -> None:
    """Another run's copy would look just as ready, and its database would be changed."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Impostor) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(EnvironmentFault, match="in use"):
            Sites(environment(port=server.server_address[1]), data, tmp_path).__enter__()
        server.shutdown()
