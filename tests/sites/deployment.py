"""A small application that stands for a deployment elsewhere: pages, a login form with a hidden field, a reset hook.

`python deployment.py PORT NAME`: shows NAME, or nothing once POST /empty was called, or 500 once POST /break was.
POST /expire ends all sessions.
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

FORM = """<form action="/search"><input name="q"></form>
<form action="/session?next=/"><input type="hidden" name="csrf" value="c-7"><input name="user[login]">
<input type="password" name="user[password]"><button name="commit" value="in">Log in</button></form>"""


class Kept:
    mode = "working"
    notes: list[str] = []
    session = "s-ann"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        user = "ann" if f"session={Kept.session};" in self.headers.get("Cookie", "") + ";" else ""
        shown = {"/login": FORM, "/notes": ", ".join(Kept.notes), "/me": f"Signed in as {user}"}
        if Kept.mode == "broken":
            return self.answer(500, "Oops")
        self.answer(200, "" if Kept.mode == "empty" else f"<h1>{sys.argv[2]}</h1>{shown.get(self.path, '')}")

    def do_POST(self) -> None:
        fields = parse_qs(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())
        if self.path in ("/empty", "/break", "/reset"):
            Kept.mode = {"/empty": "empty", "/break": "broken", "/reset": "working"}[self.path]
            Kept.notes.clear()
            return self.answer(200, "")
        if self.path == "/expire":
            Kept.session = "s-ann-2"
            return self.answer(200, "")
        if self.path == "/notes":
            Kept.notes += fields["note"]
            return self.answer(200, "")
        wanted = {"csrf": ["c-7"], "user[login]": ["ann"], "user[password]": ["open sesame"], "commit": ["in"]}
        cookie = (
            {"Set-Cookie": f"session={Kept.session}; Path=/; Max-Age=600; SameSite=strict; httponly"}
            if fields == wanted
            else {}
        )
        self.answer(302, "", **cookie, Location="/")

    def answer(self, status: int, text: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
