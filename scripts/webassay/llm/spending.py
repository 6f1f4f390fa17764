"""A budget for all that the judges of one store ask, whatever the process that asks.

`spent.txt` beside the replies has a line for every sum: the most that a question can cost when it is put, and what it
cost less when it is answered. A process that is killed in between leaves its question in the sum, since somebody may
have charged for it. What the lines come to therefore never passes the budget, and neither does the bill.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webassay.core.processes import exclusive_folder
from webassay.errors import ConfigError, ModelError, PurseEmpty
from webassay.llm.client import Reply
from webassay.llm.prices import cost, most

LEDGER = "spent.txt"


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

    def pay(self, messages: Sequence[Mapping[str, Any]], ask: Callable[[], Reply]) -> Reply:
        """Put a question whose cost cannot pass the budget; PurseEmpty if it could."""
        held = self._most(messages)
        self._hold(held)
        try:
            reply = ask()
        except (ModelError, ConfigError):  # nobody answered
            self._write(-held)
            raise
        if reply.usage:  # else nobody knows better than what was held
            self._write((cost(reply.usage, self.model["prices"]) or 0.0) - held)
        return reply

    def _most(self, messages: Sequence[Mapping[str, Any]]) -> float:
        if self.model.get("max_tokens") is None:
            raise ConfigError("llm.budget needs judge.model.max_tokens: without it an answer may cost anything")
        return most(messages, self.model["max_tokens"], self.model["prices"])

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
