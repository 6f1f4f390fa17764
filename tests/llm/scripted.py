"""An OpenAI-compatible server over real HTTP that says what a test has written down."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Said:
    """One HTTP answer."""

    body: str
    status: int = 200
    content_type: str = "application/json"


def completion(text: str | None, finish_reason: str = "stop") -> Said:
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    record = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted-1"}
    record["system_fingerprint"] = "set-up-1"
    return Said(json.dumps(record | {"choices": [choice], "usage": usage}))


@dataclass
class Scripted:
    """`answer` is called with each request's body; what was asked stays in `requests` and `headers`."""

    url: str
    answer: Callable[[dict[str, Any]], Said]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def scripted(answer: Said | Callable[[dict[str, Any]], Said]) -> Iterator[Scripted]:
    """A server that always says `answer`, or what it returns for a request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append(request)
            script.headers.append({name.lower(): value for name, value in self.headers.items()})
            said = script.answer(request)
            body = said.body.encode()
            self.send_response(said.status)
            self.send_header("Content-Type", said.content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        script = Scripted(url, (lambda _: answer) if isinstance(answer, Said) else answer)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield script
        finally:
            server.shutdown()
