"""What the agent did to a site's database: rows of read-only probes before and after, and everything that changed.

`state.json`: `{"before": {"<probe>": [[…row…], …]}, "after": {…}, "changes": [{"table", "op", "key", "before",
"after"}, …] | null}`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.verdict import Assertion
from webassay.errors import TrajectoryError
from webassay.evidence.changes import Change, Operation

Cell = str | int | float | bool | None
Rows = tuple[tuple[Cell, ...], ...]
SHOWN = 5
"""Side effects that a reason lists; all of them are in the assertion."""


class State(msgspec.Struct, frozen=True):
    before: dict[str, Rows]
    after: dict[str, Rows]
    changes: tuple[Change, ...] | None = None
    """Of the whole database, between the login and the agent's end; None where there was none to compare."""


class Allowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes that a task may make; what is not allowed is a side effect."""

    table: str
    op: Operation
    rows: int = 1
    """At most so many."""
    columns: tuple[str, ...] = ()
    """Of an update: those that may differ."""

    def covers(self, change: Change) -> bool:
        same = self.table == change.table and self.op == change.op
        return same and (self.op != "update" or {*(change.after or {})} <= {*self.columns})


def read_state(path: Path) -> State:
    try:
        return msgspec.json.decode(path.read_bytes(), type=State)
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"{path}: not a record of state ({error})") from None


def state_of(given: Any) -> State | None:
    """A state decoded by someone else; None where none was recorded."""
    if given is None or isinstance(given, State):
        return given
    try:
        return msgspec.convert(given, State)
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"state: {error}") from None


def check_seeded(probe: str, expected: Rows, state: State | None) -> Assertion:
    """The site stood as the task assumes before the agent came: where not, the fault is ours and not the agent's."""
    name = f"state.{probe}.before"
    if state is None:
        return Assertion(name, False, expected=expected, reason="no state was recorded")
    for when, probes in (("before", state.before), ("after", state.after)):
        if probe not in probes:
            return Assertion(name, False, expected=expected, reason=f"probe {probe!r} has no rows {when} the attempt")
    return _compared(name, f"before.{probe}", expected, state.before[probe], "the site was not in its seeded state: ")


def check_changed(probe: str, expected: Rows, state: State | None) -> Assertion:
    """The rows afterwards are those the task asks for, and no others."""
    name = f"state.{probe}"
    if state is None or probe not in state.after:
        return Assertion(name, False, expected=expected, reason=f"probe {probe!r} has no rows after the attempt")
    return _compared(name, f"after.{probe}", expected, state.after[probe], "")


def check_recorded(state: State | None) -> Assertion:
    """There is a comparison of the whole database: where not, the fault is ours and not the agent's."""
    missing = "no state was recorded" if state is None else "the changes of the database were not recorded"
    recorded = state is not None and state.changes is not None
    return Assertion("state.changes", recorded, reason="" if recorded else missing)


def check_side_effects(allowed: Sequence[Allowed], changes: Sequence[Change]) -> Assertion:
    """Every change is one that the task allows; each entry covers its number of them, and no more."""
    narrowest = sorted(allowed, key=lambda one: len(one.columns))  # the others are left for changes that need them
    left = [one.rows for one in narrowest]
    strays = []
    for change in changes:
        free = next((n for n, one in enumerate(narrowest) if left[n] > 0 and one.covers(change)), None)
        if free is None:
            strays.append(change)
        else:
            left[free] -= 1
    listed = "; ".join(map(_described, strays[:SHOWN])) + (" …" if len(strays) > SHOWN else "")
    number = f"{len(strays)} side effect{'' if len(strays) == 1 else 's'}"
    return Assertion(
        "state.side_effects",
        not strays,
        expected=msgspec.to_builtins(allowed),
        actual=msgspec.to_builtins(strays) or None,
        evidence="state.json#changes",
        reason=f"{number} that the task does not allow: {listed}" if strays else "",
    )


def _described(change: Change) -> str:
    columns = f" ({', '.join(change.after or {})})" if change.op == "update" else ""
    return f"{change.op} {change.table}[{change.key}]{columns}"


def _compared(name: str, place: str, expected: Rows, actual: Rows, prefix: str) -> Assertion:
    row = _first_difference(expected, actual)
    if row is None:
        return Assertion(name, True, expected=expected, actual=actual, evidence=f"state.json#{place}")
    reason = f"{prefix}{place}[{row}] is {_row(actual, row)}, expected {_row(expected, row)}"
    return Assertion(name, False, expected, actual, evidence=f"state.json#{place}[{row}]", reason=reason)


def _first_difference(expected: Rows, actual: Rows) -> int | None:
    for number, (want, have) in enumerate(zip(expected, actual, strict=False)):
        if len(want) != len(have) or not all(map(_same_cell, want, have)):
            return number
    return None if len(expected) == len(actual) else min(len(expected), len(actual))


def _same_cell(want: Cell, have: Cell) -> bool:
    """1 and 1.0 are the same number; true is not 1 and '1' is not 1."""
    return isinstance(want, bool) == isinstance(have, bool) and want == have


def _row(rows: Rows, number: int) -> str:
    return repr(list(rows[number]))[:200] if number < len(rows) else "absent"
