"""Results over HTTP, to this machine alone; what agents and pages left behind is never run as a page."""

import http.server
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any

SERVED = ("runs", "experiments", ".cache/view")
PAGES = ("experiments", ".cache/view")
OWN = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
PLAIN = "text/plain; charset=utf-8"


class Handler(http.server.SimpleHTTPRequestHandler):
    """GET and HEAD of files; no folder is listed, no link is followed out of the results."""

    def send_head(self) -> Any:
        name = (self.headers.get("Host") or "").rpartition(":")[0]
        if name not in ("127.0.0.1", "localhost"):  # another site's name that leads here
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return None
        path = Path(self.translate_path(self.path)).resolve()
        if not path.is_file() or not self._is_in(path, SERVED):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return self._answer(path, self._is_in(path, PAGES))

    def _is_in(self, path: Path, parts: Sequence[str]) -> bool:
        """`results/runs` may itself be a link, to a larger disk; links inside lead nowhere else."""
        return any(path.is_relative_to(Path(self.directory, part).resolve()) for part in parts)

    def _answer(self, path: Path, own: bool) -> IO[bytes] | None:
        kind = (OWN.get(path.suffix) if own else None) or PICTURES.get(path.suffix, PLAIN)
        try:
            stream = path.open("rb")
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(path.stat().st_size))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if not own:
            self.send_header("Content-Security-Policy", "sandbox; default-src 'none'")
        self.end_headers()
        return stream

    def log_message(self, format: str, *arguments: Any) -> None:
        """Quiet: a page asks every two seconds."""


@contextmanager
def serve(results: Path, port: int) -> Iterator[http.server.ThreadingHTTPServer]:
    """On loopback; port 0 takes a free one."""
    handler = partial(Handler, directory=str(results))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        yield server
