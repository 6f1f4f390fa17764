"""What pages hand out: kept apart under names of ours, up to a size; never opened, never run."""

import hashlib
import logging
import os
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Download, Error, Page

from webassay.core.files import write_bytes, write_json
from webassay.evidence.redact import Redactor

FOLDER, LIST = "downloads", "downloads.json"
MOST_FILES = 20
PATIENCE_SECONDS = 5.0
LOOK_SECONDS = 0.1
UNFINISHED = "*.crdownload"


class Downloads:
    """Of one attempt; `place` is where its browser puts them, None where that is not on this machine."""

    def __init__(self, context: BrowserContext, place: Path | None, most_bytes: int, log: logging.Logger) -> None:
        self._place, self._most, self._log = place, most_bytes, log
        self._under_way: list[Download] = []
        self._listed: list[dict[str, Any]] = []
        if place is not None:
            context.on("page", lambda page: page.on("download", self._note))

    def _note(self, download: Download) -> None:
        if len(self._listed) + len(self._under_way) >= MOST_FILES:
            download.cancel()
        else:
            self._log.info("a page hands out %r", download.suggested_filename)
            self._under_way.append(download)

    def check(self) -> None:
        """Called at every step: what has grown too large is stopped."""
        if self._under_way and self._size() > self._most:
            for download in self._under_way:
                download.cancel()
                self._list(download, f"stopped: larger than {self._most} bytes, all in all")
            self._under_way.clear()

    def keep(self, page: Page, folder: Path, redactor: Redactor) -> None:
        """At the end of an attempt; one that does not come to its end is given up."""
        if not (self._under_way or self._listed):
            return
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._place and any(self._place.glob(UNFINISHED)) and time.monotonic() < deadline:
            page.wait_for_timeout(LOOK_SECONDS * 1000)
            self.check()
        for number, download in enumerate(self._under_way, 1):
            self._save(download, folder / FOLDER / f"download_{number}", redactor)
        write_json(folder / LIST, redactor.value(self._listed))

    def _save(self, download: Download, path: Path, redactor: Redactor) -> None:
        try:
            download.cancel()  # of one that is complete this changes nothing
            trouble = download.failure()
            content = b"" if trouble else download.path().read_bytes()
        except (Error, OSError) as error:
            trouble, content = str(error).split("\n")[0], b""
        if trouble or len(content) > self._most:
            self._list(download, trouble or f"larger than {self._most} bytes")
            return
        kept = redactor.content(content)
        path.parent.mkdir(exist_ok=True)
        write_bytes(path, kept)
        os.chmod(path, 0o400)
        self._list(download, "", file=f"{FOLDER}/{path.name}", bytes=len(kept), sha256=hashlib.sha256(kept).hexdigest())

    def _list(self, download: Download, trouble: str, **more: Any) -> None:
        named = {"url": download.url[:2000], "suggested": download.suggested_filename[:200]}
        self._listed.append(named | ({"trouble": trouble} if trouble else more))

    def _size(self) -> int:
        assert self._place is not None
        total = 0
        for path in self._place.iterdir():
            try:
                total += path.stat().st_size
            except OSError:  # just renamed
                continue
        return total
