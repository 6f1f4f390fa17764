"""A budget for all that the judges of one store ask, whatever the process that asks.

`spent.txt` beside the replies has a line for every sum: the most that a question can cost each time it is sent, and
what that cost less when it is answered. A process that is killed in between leaves its question in the sum, and so does
a time-out, since somebody may have charged for it. What the lines come to therefore never passes the budget, and
neither does the bill, as long as no picture costs more than the model's `picture_tokens`; a warning says when one did.
"""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webassay.core.processes import exclusive_folder
from webassay.errors import ConfigError, PurseEmpty
from webassay.llm.endpoint import Given, Passing
from webassay.llm.prices import PICTURE_TOKENS, cost, most

LEDGER = "spent.txt"
_log = logging.getLogger(__name__)


@dataclass
class Purse:
    """Of one model; those of other models and processes draw on the same ledger."""

    folder: Path
    budget: float
    model: Mapping[str, Any]
    _read: int = 0
    """Bytes of the ledger that `_sum` is of."""
    _sum: float = 0.0

    def __post_init__(self) -> None:
        self._most([])  # what is missing for a budget is told before anything is asked

    def pay(self, messages: Sequence[Mapping[str, Any]], send: Callable[[], Given]) -> Given:
        """Send a question once whose cost cannot pass the budget; PurseEmpty if it could."""
        held = self._most(messages)
        self._hold(held)
        try:
            given = send()
        except Exception as failed:
            self._settle(held, self._charged(failed, held))
            raise
        self._settle(held, self._cost(given.usage, held))
        return given

    def _settle(self, held: float, charged: float) -> None:
        if charged > held:
            _log.warning(
                "llm.budget: a question cost %.6g and %.6g was held for it, so the budget can be passed; "
                "judge.model.picture_tokens=%s is too low",
                charged,
                held,
                self._picture_tokens,
            )
        if charged != held:
            self._write(charged - held)

    def _charged(self, failed: Exception, held: float) -> float:
        """For a try that failed: what was counted, all of it where nobody knows, nothing where it was refused."""
        from openai import APITimeoutError

        if isinstance(failed, Passing):
            return self._cost(failed.usage, held)
        return held if isinstance(failed, APITimeoutError | ValueError) else 0.0

    def _cost(self, usage: Mapping[str, int], held: float) -> float:
        """What was held, where the endpoint has counted nothing."""
        return (cost(usage, self.model["prices"]) or 0.0) if usage else held

    @property
    def _picture_tokens(self) -> int:
        return int(self.model.get("picture_tokens") or PICTURE_TOKENS)

    def _most(self, messages: Sequence[Mapping[str, Any]]) -> float:
        if self.model.get("max_tokens") is None:
            raise ConfigError("llm.budget needs judge.model.max_tokens: without it an answer may cost anything")
        return most(messages, self.model["max_tokens"], self.model["prices"], self._picture_tokens)

    def _hold(self, amount: float) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with exclusive_folder(self.folder):
            spent = self._total()
            if spent + amount > self.budget:
                raise PurseEmpty(
                    f"llm.budget={self.budget:g}: {spent:.6g} are spent or held for questions under way, and the next "
                    f"one may cost {amount:.6g}; with a larger budget the same command goes on ({self._path})"
                )
            self._append(amount)

    def _write(self, amount: float) -> None:
        with exclusive_folder(self.folder):
            self._append(amount)

    def _total(self) -> float:
        """Only what others have added since is read."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._read)
                added = stream.read()
        except FileNotFoundError:
            return 0.0
        self._read += len(added)
        self._sum += sum(map(float, added.split()))
        return self._sum

    def _append(self, amount: float) -> None:
        with self._path.open("ab") as stream:
            stream.write(f"{amount:.12f}\n".encode())
            stream.flush()
            os.fsync(stream.fileno())

    @property
    def _path(self) -> Path:
        return self.folder / LEDGER
