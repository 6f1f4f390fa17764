"""What pages hand out: kept apart under names of ours, up to a size; never opened, never run."""

import hashlib
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
LONGEST = 500


class Downloads:
    """Of one attempt; `place` is where its browser puts them, None where that is not on this machine."""

    def __init__(
        self, context: BrowserContext, place: Path | None, most_bytes: int, folder: Path, redactor: Redactor
    ) -> None:
        self._place, self._most, self._folder, self._redactor = place, most_bytes, folder, redactor
        self._under_way: list[Download] = []
        self._listed: list[dict[str, Any]] = []
        self._kept = 0
        if place is not None:
            context.on("page", lambda page: page.on("download", self._note))

    def _note(self, download: Download) -> None:
        if len(self._listed) + len(self._under_way) >= MOST_FILES:
            download.cancel()
        else:
            self._under_way.append(download)

    def check(self) -> None:
        """Called at every step: when they have grown too large together, those that are not complete are stopped."""
        if self._under_way and self._size() > self._most:
            self._end()

    def keep(self, page: Page) -> None:
        """At the end of an attempt; what does not come to its end is given up."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self._place and any(self._place.glob(UNFINISHED)) and time.monotonic() < deadline:
            page.wait_for_timeout(LOOK_SECONDS * 1000)
            self.check()
        self._end()
        if self._listed:
            write_json(self._folder / LIST, self._redactor.logged(self._listed))

    def _end(self) -> None:
        for download in self._under_way:
            self._save(download, self._folder / FOLDER / f"download_{len(self._listed) + 1}")
        self._under_way.clear()

    def _save(self, download: Download, path: Path) -> None:
        try:
            download.cancel()  # of one that is complete this changes nothing
            trouble = download.failure()
            place = None if trouble else download.path()
            trouble = trouble or self._too_much(place.stat().st_size if place else 0)
            content = place.read_bytes() if place and not trouble else b""
            download.delete()
        except (Error, OSError) as error:
            trouble, content = str(error).split("\n")[0], b""
        if trouble:
            self._list(download, trouble=trouble)
            return
        self._kept += len(content)
        kept = self._redactor.content(content)
        path.parent.mkdir(exist_ok=True)
        write_bytes(path, kept)
        os.chmod(path, 0o400)
        digest = hashlib.sha256(kept).hexdigest()
        self._list(download, file=f"{FOLDER}/{path.name}", bytes=len(kept), sha256=digest)

    def _too_much(self, size: int) -> str:
        return f"with it they are larger than {self._most} bytes" if self._kept + size > self._most else ""

    def _list(self, download: Download, **more: Any) -> None:
        named = {"url": download.url[:LONGEST], "suggested": download.suggested_filename[:LONGEST]}
        self._listed.append(named | more)

    def _size(self) -> int:
        assert self._place is not None
        total = 0
        for path in self._place.iterdir():
            try:
                total += path.stat().st_size
            except OSError:  # just renamed
                continue
        return total
