"""Who wrote a site's state: its own scripts, or somebody who only pretends to.

Some applications keep their state in the page and send all of it to their server (`PUT /api/state`), so whoever can
send a request can claim any state. `initiators.json` holds, for each site that asks for it: every such request with
the script that sent it, every answer that told the state to a page, and the state before and after, all as digests.

What it cannot see: a page whose own scripts were made to lie (a function of the standard library replaced, a record in
the browser's storage edited before a reload) sends its state by itself.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from webassay.core.digest import digest
from webassay.errors import TrajectoryError
from webassay.evidence.served import Served, text_of

FIRST = (False, None, True)
"""Of several senders that say the same, the worst is taken first."""


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
    """Empty where its page had gone before it could be asked."""
    sha256: str = ""
    """Of the source in UTF-8, told by the browser when it read it."""


class Heard(msgspec.Struct, frozen=True):
    """All that the debugger saw."""

    senders: tuple[Sender, ...] = ()
    since: tuple[float, ...] = ()
    """The moment from which on each page was listened to, in the order in which pages opened."""


class Write(msgspec.Struct, frozen=True):
    """A request that sets the state."""

    method: str
    url: str
    status: int
    started: float
    ended: float
    own: bool | None
    """Sent by a script that the site itself had served; None where nobody can tell."""
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
        try:
            return digest(msgspec.json.decode(content))
        except ValueError:  # half a surrogate pair is good for JavaScript and for Python's own reader
            return digest(json.loads(content))
    except (ValueError, RecursionError):
        raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
        return hashlib.sha256(raw).hexdigest()


def account_for(
    har: bytes,
    heard: Heard,
    site: dict[str, Any],
    seed: bytes,
    final: bytes,
    verbatim: bool,
    fetch: Callable[[str], str | None] = lambda path: None,
) -> Writes:
    """Match each write of the network evidence with the sender that the debugger saw.

    `fetch` gives what the site serves at a path now, for scripts of which the recording has no text.
    """
    log = msgspec.json.decode(har)["log"]
    entries = [entry for entry in log["entries"] if _is_of(entry, site["url"])]
    served = Served(entries, site, fetch)
    waiting = list(heard.senders)
    since = dict(zip((page["id"] for page in log.get("pages", ())), heard.since, strict=False))
    writes = tuple(_write(entry, waiting, served, since) for entry in entries if _names(entry) in site["own_writes"])
    told = (entry for entry in entries if _names(entry) == f"GET {site['state_path']}")
    reads = tuple(
        state_digest(text)
        for entry in told
        if entry["response"]["status"] == 200 and (text := text_of(entry)) is not None
    )
    return Writes(writes, reads, state_digest(seed), state_digest(final), verbatim)


def forged(found: Writes) -> str:
    """Why the state is not the application's own; empty where it is, or where nobody can tell."""
    own = {write.body for write in found.writes if write.own is not False} | {found.seed}
    for write in found.writes:
        known = write.own is not False or (not write.seen and write.body in own)
        if not known:
            by = ", ".join(filter(None, write.scripts)) or "a script that the site never served"
            return f"{_called(write)} was sent by {by if write.seen else 'an unseen sender'}"
    if not found.verbatim:
        return ""
    if any(read not in own for read in found.reads):
        return "the server told a page a state that no page had sent"
    if found.final not in _last_states(found):
        return "the server's state is not the last one that the application's own scripts sent"
    return ""


def doubtful(found: Writes) -> str:
    """Why nobody can tell whether the state is the application's own; empty where it is known."""
    own = {write.body for write in found.writes if write.own} | {found.seed}
    write = next((write for write in found.writes if write.own is None and write.body not in own), None)
    if write is None:
        return ""
    return f"{_called(write)} was sent by " + (
        "a script of the site's address whose text is not known any more"
        if write.seen
        else "a page that had only just opened, before it could be listened to"
    )


def _called(write: Write) -> str:
    return f"{write.method} {urlsplit(write.url).path}"


def _last_states(found: Writes) -> set[str]:
    """What the server may hold in the end: requests that overlap can arrive in either order."""
    answered = [write for write in found.writes if write.status // 100 == 2]
    last = max((write.started for write in answered), default=0.0)
    late = {write.body for write in found.writes if write.ended >= last or write.status // 100 != 2}
    return late | {found.seed}


def _write(entry: dict[str, Any], waiting: list[Sender], served: Served, since: dict[str, float]) -> Write:
    request, status = entry["request"], entry["response"]["status"]
    body = (request.get("postData") or {}).get("text", "")
    same = [
        (sender, _is_own(sender, served))
        for sender in waiting
        if (sender.method, sender.url, sender.body) == (request["method"], request["url"], body)
    ]
    sender, own = min(same, key=lambda each: FIRST.index(each[1]), default=(None, False))
    started = datetime.fromisoformat(entry["startedDateTime"]).timestamp()
    if sender is not None:
        waiting.remove(sender)
    elif started < since.get(entry.get("pageref", ""), 0.0):
        own = None
    return Write(
        request["method"],
        request["url"],
        status,
        started,
        started + max(entry.get("time") or 0, 0) / 1000,
        own,
        sender is not None,
        sender.initiator if sender else "",
        sender.scripts if sender else (),
        state_digest(body),
    )


def _is_own(sender: Sender, served: Served) -> bool | None:
    """By where the code came from and by its text: an address can be claimed, a body that the site sent cannot."""
    if not served.is_at_home(sender.address):
        return False
    return served.has(sender.address, sender.source, sender.sha256)


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
