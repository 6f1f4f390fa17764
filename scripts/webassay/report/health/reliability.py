"""How far a judge's verdicts can be relied on: what it left open and what that could mean, and whether it wavers."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.tables import Table, for_people, shown_number
from webassay.report.health.seen import Bench, row_of
from webassay.stats.flips import flip_rate

WHY = (
    "parse_failure",
    "refusal",
    "empty",
    "truncated",
    "injection",
    "split",
    "judge_error",
    "aborted",
    "other reasons",
)
NOTE = (
    "`success %` counts what nobody could judge as 0 and as 1: the true rate of these judgings lies between. `open`: "
    "without a verdict, by reason; abstentions are final, judge errors are tried again by the next run. `flips %`: of "
    "two votes of one judge about the same trajectory, how often they differ (an abstention differs from a verdict), "
    "over the trajectories with two votes or more; where votes stop early, those not drawn are unknown. `wavering`: "
    "trajectories whose votes differ. `frames left out` and `unreadable`: screenshots that the verdict does not rest "
    "on; which, is in each verdict's sidecar."
)


def reliability_table(found: Sequence[Bench]) -> Table:
    lines = [_line(bench) for bench in found]
    shown = for_people(_shown(line) for line in lines)
    return Table("health", "Judges' health", pd.DataFrame(lines), shown, NOTE)


def _line(bench: Bench) -> dict[str, Any]:
    judged, count = bench.seen, len(bench.seen)
    passed = sum(one.row.score or 0.0 for one in judged)
    why = Counter(reason for one in judged if (reason := one.why_ungraded))
    voted = [one.votes for one in judged if len(one.votes) > 1]
    left_open = sum(why.values())
    return (
        row_of(bench)
        | {"trajectories": count, "graded": count - left_open, "ungraded": left_open}
        | {
            "success_low": passed / count if count else None,
            "success_high": (passed + left_open) / count if count else None,
            "success_graded": passed / (count - left_open) if count > left_open else None,
        }
        | {f"ungraded_{name.replace(' ', '_')}": why[name] for name in WHY}
        | {
            "votes": sum(len(one.votes) for one in judged),
            "voted": len(voted),
            "wavering": sum(len(set(votes)) > 1 for votes in voted),
            "flip_rate": flip_rate(voted),
            "frames_left_out": sum(one.frames("left out") for one in judged),
            "frames_unreadable": sum(one.frames("unreadable") for one in judged),
        }
    )


def _shown(line: dict[str, Any]) -> dict[str, str]:
    reasons = [f"{name} {line[key]}" for name in WHY if line[key := f"ungraded_{name.replace(' ', '_')}"]]
    low, high = (_percent(line[f"success_{end}"]) for end in ("low", "high"))
    return names_shown(line) | {
        "trajectories": str(line["trajectories"]),
        "success %": low if low == high else f"{low} to {high}",
        "graded": f"{_percent(line['success_graded'])} (n={line['graded']})",
        "open": ", ".join(reasons) or "0",
        "votes": str(line["votes"]),
        "wavering": f"{line['wavering']} of {line['voted']}",
        "flips %": _percent(line["flip_rate"]),
        "frames left out": str(line["frames_left_out"]),
        "unreadable": str(line["frames_unreadable"]),
    }


def names_shown(line: dict[str, Any]) -> dict[str, str]:
    """Of a judging, in short."""
    settings = f" {line['settings']}" if line["settings"] else ""
    return {"system": line["system"], "run": line["run_id"], "judge": f"{line['judge']}{settings}"}


def _percent(value: float | None) -> str:
    return shown_number(None if value is None else 100 * value)
