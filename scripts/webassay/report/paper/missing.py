"""Tables and figures that nothing public gives have files too: what the ledger says of them, and nothing made up."""

from collections.abc import Iterable

import msgspec
import pandas as pd

from webassay.report.paper.ledger import Entry
from webassay.report.sheet import Sheet

TITLES = {
    "table_6": "attempts by agent and site",
    "table_7": "constants of the selection",
    "table_8": "the hard subset against its pool",
    "table_10": "selection probabilities",
    "table_11": "the selection under other caps",
    "table_12": "how hard the selected tasks are",
    "table_15": "agreement of annotators",
    "table_17": "numbers that were not at hand",
    "table_18": "numbers that were not at hand",
    "figure_2": "exploration of unachievable tasks",
    "figure_13": "agents beside an anchor",
}
COLUMNS = ["what", "paper", "here", "rule", "verdict", "remark"]


def missing_sheet(name: str, entries: Iterable[Entry], reason: str) -> Sheet:
    """`reason`: why nothing is made of the agents at hand."""
    data = pd.DataFrame([msgspec.to_builtins(entry) for entry in of_item(name, entries)])[COLUMNS]
    note = f"What the paper prints and what public data say of it. {reason}".strip()
    return Sheet(name, f"{item(name)}: {TITLES[name]}", data, data, note)


def missing_text(name: str, entries: Iterable[Entry], reason: str) -> str:
    """For the place of a figure."""
    told = " ".join(f"{entry.what}: {entry.verdict} ({entry.remark})." for entry in of_item(name, entries))
    return f"{item(name)}, {told} {reason}".strip()


def of_item(name: str, entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.item == item(name)]


def item(name: str) -> str:
    """table_7 -> Table 7"""
    return name.replace("_", " ").capitalize()
