"""Who sends a request that only a site's own scripts should send, by the browser's debugger."""

import base64
import logging
import math
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, CDPSession, Error, Page, Request

from webassay.evidence.writes import Heard, Sender

MOST_BODY = 64 * 2**20


@dataclass(frozen=True)
class Script:
    address: str
    sha256: str


NOBODY = Script("", "")


class Initiators:
    """Listens to every page of a context; a popup is heard from the moment that it is known, workers are not."""

    def __init__(self, context: BrowserContext, wanted: set[str], log: logging.Logger) -> None:
        self._wanted, self._log = wanted, log
        self._senders: list[Sender] = []
        self._since: list[float] = []
        self._context = context
        self._under_way: set[Request] = set()
        self._last = time.monotonic()
        context.on("request", self._begins)
        context.on("requestfinished", self._ends)
        context.on("requestfailed", self._ends)

    @property
    def heard(self) -> Heard:
        return Heard(tuple(self._senders), tuple(self._since))

    @property
    def quiet_seconds(self) -> float:
        """For how long nothing has been sent; 0 while something is under way."""
        return 0.0 if self._under_way else time.monotonic() - self._last

    def attach(self, page: Page) -> None:
        number = len(self._since)
        self._since.append(math.inf)  # until it is known to be heard
        try:
            debugger = self._context.new_cdp_session(page)
            scripts: dict[str, Script] = {}
            debugger.on("Debugger.scriptParsed", lambda event: _note(event, scripts))
            debugger.on("Network.requestWillBeSent", lambda event: self._sent(event, debugger, scripts))
            debugger.send("Debugger.enable")  # first: it tells of the scripts that are there already
            debugger.send("Debugger.setSkipAllPauses", {"skip": True})
            debugger.send("Network.enable", {"maxPostDataSize": MOST_BODY})
            self._since[number] = time.time()
        except Error as error:  # it was closed at once
            self._log.info("a page could not be listened to: %s", str(error).splitlines()[0])

    def _begins(self, request: Request) -> None:
        if self._is_wanted(request.method, request.url):
            self._under_way.add(request)

    def _ends(self, request: Request) -> None:
        if request in self._under_way:
            self._under_way.discard(request)
            self._last = time.monotonic()

    def _is_wanted(self, method: str, url: str) -> bool:
        return f"{method} {urlsplit(url).path}" in self._wanted

    def _sent(self, event: dict[str, Any], debugger: CDPSession, scripts: dict[str, Script]) -> None:
        request, initiator = event["request"], event["initiator"]
        if not self._is_wanted(request["method"], request["url"]):
            return
        frames = [frame["scriptId"] for frame in initiator.get("stack", {}).get("callFrames", [])]
        script = scripts.get(frames[0], NOBODY) if frames else NOBODY
        self._senders.append(
            Sender(
                request["method"],
                request["url"],
                _body(request),
                initiator["type"],
                tuple(dict.fromkeys(scripts.get(frame, NOBODY).address for frame in frames)),
                script.address,
                _source(debugger, frames[0]) if frames else "",
                script.sha256,
            )
        )


def _body(request: dict[str, Any]) -> str:
    """By its bytes where they are given: as text it may have lost what is not ASCII."""
    parts = [base64.b64decode(part["bytes"]) for part in request.get("postDataEntries", ()) if "bytes" in part]
    return b"".join(parts).decode("utf-8", "replace") if parts else str(request.get("postData", ""))


def _note(event: dict[str, Any], scripts: dict[str, Script]) -> None:
    """`url` may be the code's own word (`//# sourceURL`), the embedder's name is the browser's."""
    scripts[event["scriptId"]] = Script(event.get("embedderName", ""), event.get("hash", ""))


def _source(debugger: CDPSession, script: str) -> str:
    with suppress(Error):  # of a page that has gone: then nobody can say whose script it was
        if script:
            return str(debugger.send("Debugger.getScriptSource", {"scriptId": script})["scriptSource"])
    return ""
