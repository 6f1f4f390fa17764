"""How far a shard is: a small file for live views, and a line now and then for people who read logs."""

import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from webassay.core.files import write_json


class Progress:
    """Counts what begins and ends; safe to call from every worker's thread."""

    def __init__(self, path: Path, label: str, every_seconds: float) -> None:
        self._path, self._label, self._every = path, label, every_seconds
        self._lock = threading.Lock()
        self._started = self._printed = time.monotonic()
        self._expected = self._done = self._aborted = 0
        self._running: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(FileNotFoundError):
            self._path.unlink()

    def expect(self, count: int) -> None:
        with self._lock:
            self._expected += count
            self._publish()

    def begin(self, task_id: str) -> None:
        with self._lock:
            self._running[task_id] = time.time()
            self._publish()

    def end(self, task_id: str, outcome: str) -> None:
        with self._lock:
            self._running.pop(task_id, None)
            self._done += 1
            self._aborted += outcome == "aborted"
            self._publish()
            self._maybe_print()

    def _publish(self) -> None:
        elapsed = time.monotonic() - self._started
        write_json(
            self._path,
            {
                "label": self._label,
                "expected": self._expected,
                "done": self._done,
                "aborted": self._aborted,
                "running": list(self._running),
                "elapsed": round(elapsed, 1),
            },
        )

    def _maybe_print(self) -> None:
        now = time.monotonic()
        if now - self._printed < self._every:
            return
        self._printed = now
        rate = self._done / (now - self._started)
        left = (self._expected - self._done) / rate
        print(
            f"{self._label}: {self._done}/{self._expected} done, {len(self._running)} running, "
            f"{self._aborted} aborted, {60 * rate:.1f} tasks/min, about {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )
