"""Tokens that the systems' models took, by component."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import (
    Table,
    for_people,
    groups,
    nothing_in,
    shown_count,
    shown_number,
    shown_spread,
)
from webassay.stats.spread import spread

NOTE = (
    "Sum, and mean ± standard deviation over the `n` trajectories in which the component counted its tokens. Where "
    "nobody counted the sum is unknown, not 0."
)
NOT_COUNTED = "No trajectory says how many tokens it took; that is unknown, not 0."
TOGETHER = "together"
KINDS = ("prompt", "completion", "both", "reasoning", "calls")


def tokens_table(records: Sequence[Record]) -> Table:
    lines = [
        {"run": run, "component": component} | _line([_counts(record, component) for record in members])
        for run, members in groups(records)
        for component in _components(members)
    ]
    shown = (
        {"run": line["run"], "component": line["component"], "n": shown_count(line["n"], line["of"])} | _shown(line)
        for line in lines
    )
    instead = nothing_in(records) or ("" if any(record.usage for record in records) else NOT_COUNTED)
    return Table("tokens", "Tokens", pd.DataFrame(lines), for_people(shown), NOTE, instead)


def _components(records: Sequence[Record]) -> list[str]:
    """One alone is all of them."""
    found = sorted({component for record in records for component in record.usage})
    return found if len(found) == 1 else [*found, TOGETHER]


def _counts(record: Record, component: str) -> dict[str, int] | None:
    """None where it did not count."""
    used = (
        list(record.usage.values())
        if component == TOGETHER
        else [usage for name, usage in record.usage.items() if name == component]
    )
    if not used:
        return None
    prompt, completion = sum(each.prompt_tokens for each in used), sum(each.completion_tokens for each in used)
    reasoning, calls = sum(each.reasoning_tokens for each in used), sum(each.num_calls for each in used)
    return dict(zip(KINDS, (prompt, completion, prompt + completion, reasoning, calls), strict=True))


def _line(counts: Sequence[dict[str, int] | None]) -> dict[str, Any]:
    known = [each for each in counts if each is not None]
    line: dict[str, Any] = {"n": len(known), "of": len(counts)}
    for kind in KINDS:
        found = spread(each[kind] for each in known)
        total = sum(each[kind] for each in known) if known else None
        line |= {f"{kind}_sum": total, f"{kind}_mean": found.mean, f"{kind}_sd": found.sd}
    return line


def _shown(line: dict[str, Any]) -> dict[str, str]:
    shown = {}
    for kind in KINDS:
        shown[f"{kind}, sum"] = shown_number(line[f"{kind}_sum"], 0)
        shown[f"{kind}, mean ± sd"] = shown_spread(line[f"{kind}_mean"], line[f"{kind}_sd"])
    return shown
