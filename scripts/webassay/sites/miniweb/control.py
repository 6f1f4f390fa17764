"""The harness's door to a running site: reset, state and clock, on a port of their own and behind a token."""

import hmac
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from webassay.errors import DatasetError, EnvironmentFault
from webassay.sites.miniweb.content import content_digest

HOST = "127.0.0.1"
TOKEN_VARIABLE = "WEBASSAY_SITE_TOKEN"
MOST_BYTES = 4096
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Data:
    """The database that the site serves and the one it was copied from; whoever uses either holds the lock."""

    template: Path
    database: Path
    lock: threading.Lock = field(default_factory=threading.Lock)

    def between_requests(self, application: Wsgi) -> Wsgi:
        """The application, with the lock held from a request's first query to the end of its answer."""

        def locked(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            with self.lock:
                answer = application(environ, start_response)
                try:
                    return [b"".join(answer)]
                finally:
                    if hasattr(answer, "close"):
                        answer.close()

        return locked

    def reset(self) -> dict[str, Any]:
        """Put the seeded rows back: copied beside the database first, so that no request ever meets half of it."""
        beside = self.database.with_name(f".{self.database.name}.fresh")
        with self.lock:
            shutil.copyfile(self.template, beside)
            os.replace(beside, self.database)
            forget()
        return {"reset": True}

    def state(self) -> dict[str, Any]:
        with self.lock:
            return {"digest": content_digest(self.database), "clock": clock().isoformat()}

    def set_clock(self, now: datetime) -> dict[str, Any]:
        with self.lock:
            return {"clock": clock(now).isoformat()}


def forget() -> None:
    """What Django remembers of a database across requests."""
    from django.contrib.contenttypes.models import ContentType
    from django.contrib.sites.models import Site

    ContentType.objects.clear_cache()
    Site.objects.clear_cache()


def clock(now: datetime | None = None) -> datetime:
    """The site's time, after setting it where `now` is given."""
    from django.db import connection

    from webassay.sites.miniweb.models import Clock

    try:
        if now is not None:
            Clock.objects.update(now=now)
        shown: datetime = Clock.objects.get().now
        return shown
    finally:
        connection.close()


def moment(body: bytes) -> datetime:
    try:
        now = datetime.fromisoformat(json.loads(body)["now"])
    except (ValueError, KeyError, TypeError):
        raise ValueError('expected {"now": "2025-06-16T09:30:00+00:00"}') from None
    if now.tzinfo is None:
        raise ValueError(f"{now.isoformat()} has no offset: write +00:00 for UTC")
    return now


class Door(BaseHTTPRequestHandler):
    """Answers in JSON; errors say what is wrong, and nothing is said to those without the token."""

    data: Data
    token: str
    timeout = 10

    def do_GET(self) -> None:
        self.answer({"/state": lambda body: self.data.state()})

    def do_POST(self) -> None:
        self.answer(
            {"/reset": lambda body: self.data.reset(), "/clock": lambda body: self.data.set_clock(moment(body))}
        )

    def answer(self, actions: dict[str, Callable[[bytes], dict[str, Any]]]) -> None:
        given = self.headers.get("Authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {self.token}".encode()):
            return self.say(403, {"error": f"wrong token: send the site's {TOKEN_VARIABLE} as a bearer token"})
        action = actions.get(self.path)
        if action is None:
            return self.say(404, {"error": f"no {self.command} {self.path}: POST /reset, GET /state, POST /clock"})
        try:
            self.say(200, action(self.body()))
        except ValueError as error:
            self.say(400, {"error": str(error)})
        except troubles() as error:
            self.say(500, {"error": f"{type(error).__name__}: {error}"})

    def body(self) -> bytes:
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            raise ValueError(f"a body of at most {MOST_BYTES} bytes with its Content-Length is expected")
        return self.rfile.read(int(length))

    def say(self, status: int, what: dict[str, Any]) -> None:
        content = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def troubles() -> tuple[type[Exception], ...]:
    """A file that is no database, or one that another process holds, is told to the harness, not to stderr."""
    from django.db import Error

    return OSError, DatasetError, sqlite3.Error, Error


def open_door(data: Data, port: int) -> ThreadingHTTPServer:
    """Listen beside the site; the token comes from the environment, where no page and no log shows it."""
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise EnvironmentFault(f"--control-port needs a token: set {TOKEN_VARIABLE}")
    handler = type("SiteDoor", (Door,), {"data": data, "token": token})
    try:
        door = ThreadingHTTPServer((HOST, port), handler)
    except OSError as error:
        reason = f"port {port} on {HOST} cannot be used: {error.strerror or error}"
        raise EnvironmentFault(f"{reason}; choose another --control-port") from None
    door.daemon_threads = True
    threading.Thread(target=door.serve_forever, daemon=True).start()
    return door
