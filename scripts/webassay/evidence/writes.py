"""Who wrote a site's state: its own scripts, or somebody who only pretends to.

Some applications keep their state in the page and send all of it to their server (`PUT /api/state`), so whoever can
send a request can claim any state. `initiators.json` holds, for each site that asks for it: every such request with
the script that sent it, every answer that told the state to a page, and the state before and after, all as digests.

What it cannot see: a page whose own scripts were made to lie (a function of the standard library replaced, a record in
the browser's storage edited before a reload) sends its state by itself.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from webassay.core.digest import digest
from webassay.errors import TrajectoryError

CODE = ("javascript", "ecmascript", "text/html")


class Sender(msgspec.Struct, frozen=True):
    """A request as the browser's debugger saw it leave."""

    method: str
    url: str
    body: str
    initiator: str
    """script, parser, preload, other: the debugger's word."""
    scripts: tuple[str, ...] = ()
    """Addresses on the call stack, from the sender outwards; empty for code that no server sent."""
    address: str = ""
    """Of the sender's code: where it was really loaded from, whatever it calls itself."""
    source: str = ""


class Write(msgspec.Struct, frozen=True):
    """A request that sets the state."""

    method: str
    url: str
    status: int
    started: float
    ended: float
    own: bool
    """Sent by a script that the site itself had served."""
    seen: bool
    """By the debugger; a page that has just opened may be faster."""
    initiator: str
    scripts: tuple[str, ...]
    body: str
    """Digest of the state it claims."""


class Writes(msgspec.Struct, frozen=True):
    writes: tuple[Write, ...]
    reads: tuple[str, ...]
    """Digests of the states that the server told to pages."""
    seed: str
    final: str
    verbatim: bool
    """The server keeps what it is given: only then its state can be compared with what pages sent."""


def state_digest(content: bytes | str) -> str:
    """Of the value, not of its spelling."""
    try:
        return digest(msgspec.json.decode(content))
    except (ValueError, RecursionError):
        raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
        return hashlib.sha256(raw).hexdigest()


def account_for(
    har: bytes, senders: Sequence[Sender], site: dict[str, Any], seed: bytes, final: bytes, verbatim: bool
) -> Writes:
    """Match each write of the network evidence with the sender that the debugger saw."""
    entries = [entry for entry in msgspec.json.decode(har)["log"]["entries"] if _is_of(entry, site["url"])]
    served = [text for entry in entries if (text := _code(entry))]
    waiting = list(senders)
    writes = tuple(
        _write(entry, waiting, served, site["url"]) for entry in entries if _names(entry) in site["own_writes"]
    )
    told = (entry for entry in entries if _names(entry) == f"GET {site['state_path']}")
    reads = tuple(
        state_digest(entry["response"]["content"].get("text", ""))
        for entry in told
        if entry["response"]["status"] == 200
    )
    return Writes(writes, reads, state_digest(seed), state_digest(final), verbatim)


def forged(found: Writes) -> str:
    """Why the state is not the application's own; empty where it is."""
    own = {write.body for write in found.writes if write.own} | {found.seed}
    for write in found.writes:
        known = write.own or (not write.seen and write.body in own)
        if not known:
            by = ", ".join(filter(None, write.scripts)) or "a script that the site never served"
            return f"{write.method} {urlsplit(write.url).path} was sent by {by if write.seen else 'an unseen sender'}"
    if not found.verbatim:
        return ""
    if any(read not in own for read in found.reads):
        return "the server told a page a state that no page had sent"
    if found.final not in _last_states(found):
        return "the server's state is not the last one that the application's own scripts sent"
    return ""


def _last_states(found: Writes) -> set[str]:
    """What the server may hold in the end: requests that overlap can arrive in either order."""
    answered = [write for write in found.writes if write.status // 100 == 2]
    last = max((write.started for write in answered), default=0.0)
    late = {write.body for write in found.writes if write.ended >= last or write.status // 100 != 2}
    return late | {found.seed}


def _write(entry: dict[str, Any], waiting: list[Sender], served: Iterable[str], url: str) -> Write:
    request, status = entry["request"], entry["response"]["status"]
    body = (request.get("postData") or {}).get("text", "")
    same = [
        sender
        for sender in waiting
        if (sender.method, sender.url, sender.body) == (request["method"], request["url"], body)
    ]
    sender = next((each for each in same if not _is_own(each, served, url)), same[0] if same else None)
    if sender is not None:
        waiting.remove(sender)
    started = datetime.fromisoformat(entry["startedDateTime"]).timestamp()
    return Write(
        request["method"],
        request["url"],
        status,
        started,
        started + max(entry.get("time") or 0, 0) / 1000,
        sender is not None and _is_own(sender, served, url),
        sender is not None,
        sender.initiator if sender else "",
        sender.scripts if sender else (),
        state_digest(body),
    )


def _is_own(sender: Sender, served: Iterable[str], url: str) -> bool:
    """By where the code came from and by its text: an address can be claimed, a body that the site sent cannot."""
    if urlsplit(sender.address)[:2] != urlsplit(url)[:2] or not sender.source:
        return False
    source = _plain(sender.source)
    return any(source in text for text in served)


def _code(entry: dict[str, Any]) -> str:
    content = entry["response"]["content"]
    if any(kind in content.get("mimeType", "") for kind in CODE) and content.get("encoding") != "base64":
        return _plain(content.get("text", ""))
    return ""


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").lstrip("\ufeff").strip()


def _is_of(entry: dict[str, Any], url: str) -> bool:
    return urlsplit(str(entry["request"]["url"]))[:2] == urlsplit(url)[:2]


def _names(entry: dict[str, Any]) -> str:
    return f"{entry['request']['method']} {urlsplit(entry['request']['url']).path}"


def read_writes(path: Path) -> dict[str, Writes]:
    """By site."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Writes])
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"{path}: not a record of initiators ({error})") from None
