"""Who sends a request that only a site's own scripts should send, by the browser's debugger."""

import base64
import logging
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, CDPSession, Error, Page

from webassay.evidence.writes import Sender

MOST_BODY = 64 * 2**20


class Initiators:
    """Listens to every page of a context; a popup is heard from the moment that it is known, workers are not."""

    def __init__(self, context: BrowserContext, wanted: set[str], log: logging.Logger) -> None:
        self._wanted, self._log = wanted, log
        self.senders: list[Sender] = []
        self._context = context

    def attach(self, page: Page) -> None:
        try:
            debugger = self._context.new_cdp_session(page)
            addresses: dict[str, str] = {}
            debugger.on("Debugger.scriptParsed", lambda event: _note(event, addresses))
            debugger.on("Network.requestWillBeSent", lambda event: self._sent(event, debugger, addresses))
            debugger.send("Debugger.enable")  # first: it tells of the scripts that are there already
            debugger.send("Debugger.setSkipAllPauses", {"skip": True})
            debugger.send("Network.enable", {"maxPostDataSize": MOST_BODY})
        except Error as error:  # it was closed at once
            self._log.info("a page could not be listened to: %s", str(error).splitlines()[0])

    def _sent(self, event: dict[str, Any], debugger: CDPSession, addresses: dict[str, str]) -> None:
        request, initiator = event["request"], event["initiator"]
        if f"{request['method']} {urlsplit(request['url']).path}" not in self._wanted:
            return
        frames = initiator.get("stack", {}).get("callFrames", [])
        first = frames[0]["scriptId"] if frames else ""
        self.senders.append(
            Sender(
                request["method"],
                request["url"],
                _body(request),
                initiator["type"],
                tuple(dict.fromkeys(addresses.get(frame["scriptId"], "") for frame in frames)),
                addresses.get(first, ""),
                _source(debugger, first),
            )
        )


def _body(request: dict[str, Any]) -> str:
    """By its bytes where they are given: as text it may have lost what is not ASCII."""
    parts = [base64.b64decode(part["bytes"]) for part in request.get("postDataEntries", ()) if "bytes" in part]
    return b"".join(parts).decode("utf-8", "replace") if parts else str(request.get("postData", ""))


def _note(event: dict[str, Any], addresses: dict[str, str]) -> None:
    """`url` may be the code's own word (`//# sourceURL`), the embedder's name is the browser's."""
    addresses[event["scriptId"]] = event.get("embedderName", "")


def _source(debugger: CDPSession, script: str) -> str:
    with suppress(Error):  # of a page that has gone: then nobody can say whose script it was
        if script:
            return str(debugger.send("Debugger.getScriptSource", {"scriptId": script})["scriptSource"])
    return ""
