"""Pages that do what pages should not, on loopback."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CALM = "<h1>Calm</h1><a id=away href=/calm>Away</a>"
PAGES = {
    "/calm": CALM,
    "/dialogs": "<h1>Dialogs</h1><script>for (let n = 0; n < 60; n++) alert('again '.repeat(400))</script>",
    "/leave": "<h1>Leave</h1><button>x</button><script>onbeforeunload = event => event.preventDefault()</script>",
    "/popups": "<h1>Popups</h1><script>for (let n = 0; n < 60; n++) open('/calm?' + n)</script>",
    "/again": "<h1>Again</h1><script>setTimeout(() => location.href = '/again?' + Math.random(), 50)</script>",
    "/opens": "<h1>Opens</h1><button id=go style='width:200px;height:90px' onclick=\"open('/closes')\">x</button>",
    "/closes": "<h1>Closes</h1><script>setTimeout(() => close(), 250)</script>",
    "/frames": "<h1>Frames</h1><iframe src='http://127.0.0.1:1/'></iframe><iframe src='/cut'></iframe>",
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
        if path == "/cut":
            return self.connection.close()
        if path == "/garbage":
            self.wfile.write(b"\x00" * 4096)
            return
        if path == "/no-gzip":
            return self.send(200, CALM, **{"Content-Encoding": "gzip"})
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
def hostile_site(certificate: Path | None = None) -> Iterator[str]:
    with Server(("127.0.0.1", 0), Page) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http{'s' if certificate else ''}://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
