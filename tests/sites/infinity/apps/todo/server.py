"""A to-do list that follows WebArena-Infinity's protocol: the page makes the state, the server only keeps it."""

import argparse
import copy
import json
import queue
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Kept:
    state: Any = None
    seed: Any = None
    listeners: "list[queue.Queue[str]]" = []


class App(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/api/state":
            self.answer(*((200, Kept.state) if Kept.state is not None else (404, {"error": "no page was opened yet"})))
        elif self.path == "/api/events":
            self.stream()
        else:
            super().do_GET()

    def do_PUT(self) -> None:
        Kept.state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open("kept.json", "w") as file:
            json.dump(Kept.state, file)
        if Kept.seed is None:
            Kept.seed = copy.deepcopy(Kept.state)
        self.answer(200, {})

    def do_POST(self) -> None:
        Kept.state = copy.deepcopy(Kept.seed)
        for listener in Kept.listeners:
            listener.put("reset")
        self.answer(200, {})

    def stream(self) -> None:
        """Never ends."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        events: queue.Queue[str] = queue.Queue()
        Kept.listeners.append(events)
        try:
            while True:
                self.wfile.write(f"data: {events.get()}\n\n".encode())
                self.wfile.flush()
        except OSError:
            Kept.listeners.remove(events)

    def answer(self, status: int, value: Any) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    ThreadingHTTPServer(("", parser.parse_args().port), App).serve_forever()
