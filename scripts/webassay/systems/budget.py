"""What a run may take: looked at between attempts, so that it stops cleanly, and goes on when it is given more."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webassay.core.answer import Usage, are_known, read_answer
from webassay.errors import BudgetSpent, ConfigError, TrajectoryError
from webassay.systems.model_calls import CUT_SHORT, counted


@dataclass
class Budget:
    """Tokens and money are those of all attempts that the run has ever made; the time is that of this job."""

    limits: Mapping[str, Any]
    run: Path
    prices: Mapping[str, Any] | None = None
    started: float = field(default_factory=time.monotonic)
    _known: dict[tuple[Path, int], list[Usage]] = field(default_factory=dict)

    @classmethod
    def of(cls, config: Mapping[str, Any], run: Path) -> "Budget":
        limits = config["execution"]["budget"]
        if limits["money"] is not None and not are_known(config["model"]["prices"]):
            raise ConfigError(
                "execution.budget.money: what a token costs is not known; "
                "set model.prices.prompt and model.prices.completion"
            )
        return cls(limits, run, config["model"]["prices"])

    def require(self) -> None:
        """Called with work at hand; attempts under way come to their end, so a little more may be taken."""
        for name, taken in self._taken().items():
            most = self.limits[name]
            if most is not None and taken >= most:
                raise BudgetSpent(
                    f"execution.budget.{name}={most:g} is used up ({taken:g}), and tasks are left: what is finished "
                    "stays finished; raise it and give the same command again"
                )

    def _taken(self) -> dict[str, float]:
        taken = {"seconds": time.monotonic() - self.started}
        if self.limits["tokens"] is None and self.limits["money"] is None:
            return taken
        used = [usage for path in self.run.rglob("*_final_answer.json") for usage in self._used(path)]
        used += [usage for folder in self._unfinished() for usage in counted(folder, self.prices).values()]
        tokens = sum(one.prompt_tokens + one.completion_tokens for one in used)
        return taken | {"tokens": tokens, "money": sum(one.cost or 0.0 for one in used)}

    def _unfinished(self) -> Iterator[Path]:
        """Attempts under way and those that were cut short: what they asked stands in their calls alone."""
        yield from self.run.glob(f"{CUT_SHORT}/*/*")
        yield from (folder for folder in self.run.glob("running/*") if not any(folder.glob("*_final_answer.json")))

    def _used(self, path: Path) -> list[Usage]:
        try:
            key = (path, path.stat().st_mtime_ns)
            if key not in self._known:
                self._known[key] = list(read_answer(path).usage.values())
        except (OSError, TrajectoryError):  # just moved to its place, or to `attempts`: counted the next time
            return []
        return self._known[key]
