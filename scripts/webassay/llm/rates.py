"""How many questions and tokens a minute a model is asked for, by all processes that keep to one file."""

import math
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webassay.core.digest import digest

if TYPE_CHECKING:
    from pyrate_limiter import Limiter

PARTS = 1000
"""The limiter keeps a row for each unit, so a minute's tokens are counted in as many parts."""


@dataclass
class Rates:
    """A question waits for its turn. What it cost is known afterwards, so the next one pays for it."""

    limits: Mapping[str, Any]
    name: str
    """Of the model; its limits are those of all who ask it."""
    _owed: int = field(default=0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    @contextmanager
    def turn(self) -> Iterator[None]:
        with self._places:
            if self.limits.get("requests_per_minute"):
                self._requests.try_acquire(self.name)
            while self._owed >= self._part:
                self._pay(self._due())
            yield

    def cost(self, tokens: int) -> None:
        if self.limits.get("tokens_per_minute"):
            with self._lock:
                self._owed += tokens

    def _pay(self, parts: int) -> None:
        """What could not be paid is owed as before."""
        if parts and not self._tokens.try_acquire(self.name, parts):
            time.sleep(1.0)
            with self._lock:
                self._owed += parts * self._part

    def _due(self) -> int:
        """In parts, a minute's at most; none where somebody else has just paid."""
        with self._lock:
            parts = min(self._owed // self._part, self._most)
            self._owed -= parts * self._part
        return parts

    @property
    def _part(self) -> int:
        return math.ceil((self.limits.get("tokens_per_minute") or PARTS) / PARTS)

    @property
    def _most(self) -> int:
        """Parts of a minute; more at a time the limiter never gives."""
        return max(int(self.limits["tokens_per_minute"]) // self._part, 1)

    @cached_property
    def _places(self) -> Any:
        concurrent = self.limits.get("concurrent")
        return threading.BoundedSemaphore(concurrent) if concurrent else nullcontext()

    @cached_property
    def _requests(self) -> "Limiter":
        return self._limiter("requests", self.limits["requests_per_minute"])

    @cached_property
    def _tokens(self) -> "Limiter":
        return self._limiter("tokens", self._most)

    def _limiter(self, what: str, most: int) -> "Limiter":
        from pyrate_limiter import Duration, Limiter, Rate, SQLiteBucket

        path = Path(self.limits["file"])
        path.parent.mkdir(parents=True, exist_ok=True)
        table = f"{what}_{digest(self.name)[:16]}"
        rates = [Rate(most, Duration.MINUTE)]
        return Limiter(SQLiteBucket.init_from_file(rates, table, str(path.resolve()), use_file_lock=True))
