"""Network traces as the release takes them: HAR entries or Playwright's snapshots, from memory or from a file.

What an entry lacks is missed only when it is asked for. A file is decoded into as little as judging needs; where that
does not go smoothly it is read again in the release's own way, so that both find the same faults.
"""

import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

import msgspec

from webassay.judges.release.bodies import read_body

MAX_BYTES = 1 << 30
SNAPSHOT = "resource-snapshot"


class TraceFault(Exception):
    """A trace that the release does not take; its verdict is then an error, whatever the response says."""


class Event(Protocol):
    """A request and its answer; each part raises what Python raises where it is missing or of the wrong shape."""

    @property
    def method(self) -> Any: ...

    @property
    def url(self) -> Any: ...

    @property
    def status(self) -> Any: ...

    def headers(self) -> Any:
        """As recorded: a list of objects with name and value."""

    def lower_headers(self) -> dict[str, str]: ...

    def post_data(self) -> dict[str, Any] | None: ...

    def response_content(self) -> dict[str, Any] | None: ...

    def cookies(self) -> dict[str, str]: ...


class GivenEvent:
    """An entry that someone else has decoded."""

    __slots__ = ("entry",)

    def __init__(self, entry: Any) -> None:
        self.entry = entry

    @property
    def method(self) -> Any:
        return self.entry["request"]["method"]

    @property
    def url(self) -> Any:
        return self.entry["request"]["url"]

    @property
    def status(self) -> Any:
        return self.entry["response"]["status"]

    def headers(self) -> Any:
        return self.entry["request"]["headers"]

    def lower_headers(self) -> dict[str, str]:
        return _lower(self.headers())

    def post_data(self) -> dict[str, Any] | None:
        return _body(self.entry["request"].get("postData"))

    def response_content(self) -> dict[str, Any] | None:
        return _body(self.entry["response"].get("content"))

    def cookies(self) -> dict[str, str]:
        return _cookies(self.entry["response"].get("cookies", []))


class _Request(msgspec.Struct, frozen=True, gc=False):
    method: str
    url: str
    headers: msgspec.Raw = msgspec.Raw()
    post_data: msgspec.Raw = msgspec.field(name="postData", default_factory=msgspec.Raw)


class _Response(msgspec.Struct, frozen=True, gc=False):
    status: Any
    content: msgspec.Raw = msgspec.Raw()
    cookies: msgspec.Raw = msgspec.Raw()


class _Header(msgspec.Struct, frozen=True, gc=False):
    name: str
    value: str


class StoredEvent(msgspec.Struct, frozen=True, gc=False):
    """An entry of a file, of which only method, URL and status are decoded; the rest when it is asked for."""

    request: _Request
    response: _Response

    @property
    def method(self) -> str:
        return self.request.method

    @property
    def url(self) -> str:
        return self.request.url

    @property
    def status(self) -> Any:
        return self.response.status

    def headers(self) -> Any:
        return _required(self.request.headers)

    def lower_headers(self) -> dict[str, str]:
        try:
            headers = _HEADERS.decode(self.request.headers)
        except msgspec.MsgspecError:
            return _lower(self.headers())
        return {header.name.lower(): header.value.lower() for header in headers}

    def post_data(self) -> dict[str, Any] | None:
        return _body(_decoded(self.request.post_data))

    def response_content(self) -> dict[str, Any] | None:
        return _body(_decoded(self.response.content))

    def cookies(self) -> dict[str, str]:
        raw = self.response.cookies
        return _cookies(_decoded(raw)) if bytes(raw) else {}


class _Log(msgspec.Struct, frozen=True, gc=False):
    entries: list[StoredEvent]


class _Har(msgspec.Struct, frozen=True, gc=False):
    log: _Log


_HAR = msgspec.json.Decoder(_Har)
_HEADERS = msgspec.json.Decoder(list[_Header])


def _lower(headers: Any) -> dict[str, str]:
    return {header["name"].lower(): header["value"].lower() for header in headers}


def _body(content: Any) -> dict[str, Any] | None:
    return read_body(content) if content else None


def _cookies(cookies: Any) -> dict[str, str]:
    return {cookie["name"]: unquote(cookie.get("value", "")) for cookie in cookies}


def _decoded(raw: msgspec.Raw) -> Any:
    content = bytes(raw)
    return json.loads(content) if content else None


def _required(raw: msgspec.Raw) -> Any:
    if not bytes(raw):
        raise KeyError("request.headers")
    return _decoded(raw)


def given_events(entries: Any) -> Sequence[Event]:
    """Entries or snapshots decoded by someone else; the first tells which."""
    if not isinstance(entries, list | tuple):
        raise TraceFault("no network trace")
    if not entries:
        raise TraceFault("the network trace is empty")
    try:
        first = entries[0]
        if "type" in first and first["type"] == SNAPSHOT:
            return _snapshots(entries)
        if "request" in first and "response" in first:
            return _events(entries)
    except TypeError:
        raise TraceFault("the first entry of the trace is no object") from None
    raise TraceFault("the first entry of the trace is neither HAR (request, response) nor a Playwright snapshot")


def read_events(path: Path) -> Sequence[Event]:
    """A HAR (.har, .json), or a Playwright trace as a .zip, a folder or the file trace.network itself."""
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise TraceFault(f"{path}: larger than {MAX_BYTES >> 30} GiB, too large to be judged")
        if path.suffix not in (".har", ".json"):
            return _playwright_events(path)
        return _har_events(path)
    except FileNotFoundError:
        raise TraceFault(f"{path}: no such trace") from None
    except OSError as error:
        raise TraceFault(f"{path}: cannot be read ({error.strerror or error})") from None


def _har_events(path: Path) -> Sequence[Event]:
    content = path.read_bytes()
    try:
        entries = _HAR.decode(content).log.entries
        if not content.isascii():
            content.decode()
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _odd_har_events(path, content)
    return entries or _odd_har_events(path, content)


def _odd_har_events(path: Path, content: bytes) -> Sequence[Event]:
    """What is no HAR with entries may still be a Playwright trace by another name."""
    try:
        document = json.loads(content.decode())
        if "log" in document and "entries" in document["log"] and document["log"]["entries"]:
            return _events(document["log"]["entries"])
        problem = "no log.entries, or none in it"
    except ValueError as error:
        problem = str(error)
    except (TypeError, RecursionError) as error:
        raise TraceFault(f"{path}: not a HAR ({error})") from None
    try:
        return _playwright_events(path)
    except TraceFault:
        raise TraceFault(f"{path}: not a HAR ({problem})") from None


def _playwright_events(path: Path) -> Sequence[Event]:
    name = "trace.network"
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                if archive.getinfo(name).file_size > MAX_BYTES:
                    raise TraceFault(f"{path}: {name} in it is larger than {MAX_BYTES >> 30} GiB")
                text = archive.read(name).decode()
        else:
            text = (path / name if path.is_dir() else path).read_text("utf-8", errors="ignore")
        return _events([item["snapshot"] for item in map(json.loads, text.splitlines()) if item["type"] == SNAPSHOT])
    except (ValueError, KeyError, TypeError, RecursionError, zipfile.BadZipFile) as error:
        raise TraceFault(f"{path}: not a Playwright trace ({error!r})") from None


def _snapshots(items: Sequence[Any]) -> Sequence[Event]:
    if not all(isinstance(item, Mapping) for item in items):
        raise TraceFault("an item of the trace is no object")
    found = [item["snapshot"] for item in items if item.get("type") == SNAPSHOT and "snapshot" in item]
    if not found:
        raise TraceFault("no snapshot in the trace")
    return _events(found)


def _events(entries: Iterable[Any]) -> Sequence[Event]:
    """An entry need not be an object: the release takes text too, and misses the object only when it looks into it."""
    events = [GivenEvent(entry) for entry in entries]
    if not all(isinstance(event.entry, Mapping | str) for event in events):
        raise TraceFault("an entry of the trace is no object")
    return events
