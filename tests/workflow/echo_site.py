"""A site that repeats whatever it is told, in pages, headers and WebSocket frames: `python echo_site.py PORT`."""

import base64
import hashlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from canary_spellings import spellings  # lies beside

FORM = """<h1>Echo</h1><form method=post action=/login><input name=_username><input type=password name=_password>
<button name=go>Go</button></form>"""
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


class Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.headers.get("Upgrade", "").lower() == "websocket":
            return self.talk()
        if self.path.startswith("/echo"):
            return self.answer(f"{self.path}\n{self.headers}", "text/plain")
        user = "MarvelsGrantMan136" if "PHPSESSID=" in self.headers.get("Cookie", "") else "nobody"
        self.answer(f"{FORM}<p>You are {user}</p>")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path == "/binary":
            return self.answer("\x00\x01" + body, "application/octet-stream")
        if self.path == "/written":
            return self.answer(
                "\n".join([*spellings(body), *(in_base64(before + body) for before in ("", "u:", "user:"))])
            )
        if self.path == "/login":
            return self.answer(
                f"{FORM}<pre>{body}</pre>", "text/html", **{"Set-Cookie": "PHPSESSID=s-123456789; Path=/"}
            )
        self.answer(f"{self.headers}\n{body}", "application/json", **{"X-Echo": self.headers.get("X-Say", "")})

    def answer(self, text: str, kind: str = "text/html", **headers: str) -> None:
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def talk(self) -> None:
        accept = hashlib.sha1((self.headers["Sec-WebSocket-Key"] + MAGIC).encode()).digest()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept).decode())
        self.end_headers()
        while frame := self.frame():
            opcode, payload = frame
            self.wfile.write(bytes([0x80 | opcode, len(payload)]) + payload)
        self.close_connection = True

    def frame(self) -> tuple[int, bytes] | None:
        """Short ones are enough here."""
        head = self.rfile.read(2)
        if len(head) < 2 or head[0] & 15 == 8:
            return None
        mask = self.rfile.read(4)
        payload = self.rfile.read(head[1] & 127)
        return head[0] & 15, bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
