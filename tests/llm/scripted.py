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
    headers: dict[str, str] = field(default_factory=dict)


def response(*items: dict[str, Any], **more: Any) -> Said:
    """Of the Responses API."""
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    usage |= {"input_tokens_details": {"cached_tokens": 2}, "output_tokens_details": {"reasoning_tokens": 1}}
    record = {"id": "resp_1", "object": "response", "created_at": 1, "model": "scripted-1", "status": "completed"}
    return Said(json.dumps(record | {"output": list(items), "usage": usage} | more))


def message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}


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
    paths: list[str] = field(default_factory=list)


@contextmanager
def scripted(answer: Said | Callable[[dict[str, Any]], Said]) -> Iterator[Scripted]:
    """A server that always says `answer`, or what it returns for a request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append(request)
            script.headers.append({name.lower(): value for name, value in self.headers.items()})
            script.paths.append(self.path)
            said = script.answer(request)
            body = said.body.encode()
            self.send_response(said.status)
            self.send_header("Content-Type", said.content_type)
            self.send_header("Content-Length", str(len(body)))
            for name, value in said.headers.items():
                self.send_header(name, value)
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
