"""What a group of the paper's tables gives: sheets to print, and numbers for the ledger to compare."""

from dataclasses import dataclass, field

from webassay.report.sheet import Sheet


@dataclass(frozen=True)
class Group:
    sheets: tuple[Sheet, ...]
    facts: dict[str, float] = field(default_factory=dict)
    """By the names that `published.toml` asks for."""
