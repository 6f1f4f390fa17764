"""Pages that do what pages should not, on loopback."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALM = "<h1>Calm</h1><a id=away href=/calm>Away</a>"
PAGES = {
    "/calm": CALM,
    "/dialogs": "<h1>Dialogs</h1><script>for (let n = 0; n < 60; n++) alert('again '.repeat(400))</script>",
    "/leave": "<h1>Leave</h1><button>x</button><script>onbeforeunload = event => event.preventDefault()</script>",
    "/popups": "<h1>Popups</h1><script>for (let n = 0; n < 60; n++) open('/calm?' + n)</script>",
    "/again": "<h1>Again</h1><script>setTimeout(() => location.href = '/again?' + Math.random(), 50)</script>",
    "/huge": "<h1>Huge</h1><script>document.body.append(...Array.from({length: 200000}, (_, n) => {"
    "const line = document.createElement('div'); line.textContent = 'line ' + n; return line }))</script>",
    "/busy": "<h1>Busy</h1><script>setTimeout(() => { for (;;) ; }, 300)</script>",
    "/hidden": "<button id=hidden style='display:none'>x</button><div style='position:fixed;inset:0'></div>"
    "<button id=covered>x</button><input id=field>",
}
SERVICE_WORKER = "fetch('http://127.0.0.1:' + new URL(location).searchParams.get('port'), {mode: 'no-cors'})"
LARGE = 3 * 2**20


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in ("/loop", "/missing", "/broken"):
            return self.send({"/loop": 302, "/missing": 404, "/broken": 500}[path], "<h1>x</h1>", Location="/loop")
        if path == "/short":
            return self.send(200, CALM, **{"Content-Length": "9999"})
        if path == "/sw.js":
            return self.send(200, SERVICE_WORKER, **{"Content-Type": "text/javascript"})
        if path.startswith("/file"):
            size = {"/file-large": LARGE, "/file-half": 600_000}.get(path, 2000)
            named = 'attachment; filename="../../evil.sh"'
            return self.send(200, "canary-word " + "x" * size, **{"Content-Disposition": named})
        self.send(200, PAGES.get(path, CALM))

    def send(self, status: int, text: str, **headers: str) -> None:
        self.send_response(status)
        given = {"Content-Type": "text/html", "Content-Length": str(len(text))} | headers
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Browsers hang up."""


@contextmanager
def hostile_site() -> Iterator[str]:
    with Server(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
