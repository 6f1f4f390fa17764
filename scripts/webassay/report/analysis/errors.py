"""What went wrong: the last error of each core.log by kind, and the states that need a look."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import Table, escaped, for_people, groups, named, nothing_in, percent, samples

LONG_SESSION = 1800
"""Seconds; webeval's threshold."""
LOGGED, STATE = "logged", "state"
NOTE = (
    "`logged`: the last `[ERROR]` of each core.log by kind (in webeval's logs it may be of an earlier attempt, since "
    "they outlive attempts); `earlier attempts`: how many attempts that were set aside ended with it. `state`: how "
    "trajectories ended; one can be in several lines. Percent of all trajectories of the run."
)
STATES: dict[str, Callable[[Record], bool]] = {
    "aborted": lambda record: record.outcome == "aborted",
    "unreadable": lambda record: record.outcome == "unreadable",
    "over budget": lambda record: record.outcome == "over_budget",
    "no answer with rounds left, not aborted": lambda record: (
        record.no_answer and not record.broken_off and record.rounds is not None and record.rounds < record.max_rounds
    ),
    "attempted more than once": lambda record: record.attempts > 1,
    f"session over {LONG_SESSION} s": lambda record: record.seconds is not None and record.seconds > LONG_SESSION,
}


def errors_table(records: Sequence[Record]) -> Table:
    lines = [line for run, members in groups(records) for line in [*_logged(run, members), *_states(run, members)]]
    last = lines[-1]["run"]
    shown = (
        {name: str(line[name]) for name in ("run", "what", "kind", "count")}
        | {
            "%": percent(line["count"], line["of"]),
            "earlier attempts": str(line["earlier_attempts"]) if line["what"] == LOGGED else "",
            "samples": line["samples"],
        }
        for line in lines
        if line["count"] or line["earlier_attempts"] or line["run"] == last
    )
    note = "\n\n".join([NOTE, *_unreadable(records)])
    return Table("errors", "Errors", pd.DataFrame(lines), for_people(shown), note, nothing_in(records))


def error_kinds(records: Sequence[Record]) -> dict[str, list[Record]]:
    """Trajectories by the kind of their last error, those with most of them first."""
    kinds: dict[str, list[Record]] = {}
    for record in records:
        if record.error:
            kinds.setdefault(record.error, []).append(record)
        for kind in record.earlier_errors:
            kinds.setdefault(kind, [])
    return dict(sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])))


def _logged(run: str, records: Sequence[Record]) -> list[dict[str, Any]]:
    earlier = [kind for record in records for kind in record.earlier_errors]
    found = error_kinds(records).items()
    return [_line(run, LOGGED, kind, having, len(records), earlier.count(kind)) for kind, having in found]


def _states(run: str, records: Sequence[Record]) -> list[dict[str, Any]]:
    having = {state: [record for record in records if holds(record)] for state, holds in STATES.items()}
    return [_line(run, STATE, state, found, len(records), 0) for state, found in having.items()]


def _line(run: str, what: str, kind: str, having: Sequence[Record], of: int, earlier: int) -> dict[str, Any]:
    return {
        "run": run,
        "what": what,
        "kind": kind,
        "count": len(having),
        "of": of,
        "earlier_attempts": earlier,
        "samples": samples(having, run),
    }


def _unreadable(records: Sequence[Record]) -> list[str]:
    """All of them by name: what an analysis had to leave out is never left out silently."""
    missing = [record for record in records if record.outcome == "unreadable"]
    lines = [f"- {escaped(named(record))}: {escaped(record.reason)}" for record in missing]
    return [f"Cannot be read, in whole or in part ({len(lines)}):", "\n".join(lines)] if lines else []
