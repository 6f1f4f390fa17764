"""BrowserBase's REST API over real HTTP; the browser that it rents is a Chromium that is started for the test."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY, PROJECT = "bb-live-canary-key", "project-canary-0001"


@dataclass
class Rental:
    browser: str
    """Address of the browser, which it gives to everybody."""
    busy: int = 0
    """How many orders it refuses before there is room."""
    stubborn: int = 0
    """How many releases fail."""
    url: str = ""
    orders: list[dict[str, Any]] = field(default_factory=list)
    refused: int = 0
    open: set[str] = field(default_factory=set)

    def answer(self, path: str, order: dict[str, Any], key: str) -> tuple[int, dict[str, Any]]:
        if key != KEY or order.get("projectId") != PROJECT:
            return 401, {"message": "who are you"}
        if path == "/v1/sessions":
            if self.busy:
                self.busy, self.refused = self.busy - 1, self.refused + 1
                return 429, {"message": "too many sessions"}
            self.orders.append(order)
            name = f"session-{len(self.orders)}"
            self.open.add(name)
            return 201, {"id": name, "connectUrl": f"{self.browser}?signingKey={KEY}", "status": "RUNNING"}
        if self.stubborn:
            self.stubborn -= 1
            return 500, {"message": "later"}
        assert order["status"] == "REQUEST_RELEASE"
        self.open.discard(path.rpartition("/")[2])
        return 200, {}


@contextmanager
def rental(browser: str, **settings: int) -> Iterator[Rental]:
    offered = Rental(browser, **settings)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, record = offered.answer(self.path, order, self.headers["X-BB-API-Key"])
            body = json.dumps(record).encode()
            self.send_response(status)
            self.send_header("Retry-After", "0.2")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        offered.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield offered
        server.shutdown()
