"""`webassay score`: progress while it judges, a short table at the end, and what could not be evaluated."""

import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from webassay.judges.offline.ledger import Row, ranges
from webassay.judges.offline.plan import Plan
from webassay.judges.offline.score import Scores, Watch, score_logs

PLAIN_SECONDS = 5.0
LISTED = 20
NOTE = (
    "Success in percent with its number of tasks: `all` counts errors and missing tasks as 0, `graded` leaves them "
    "out. `macro`: mean of the template means of graded tasks, with an interval over these T templates. An answer that "
    "could not be read (`unparsed`, of evaluated tasks) is a failure."
)


def score_and_show(logs: str, **asked: Any) -> int:
    """0 when every task was evaluated, 1 when some could not be."""
    console = Console(stderr=True)
    with _watching(console) as watch:
        scores = score_logs(logs, watch=watch, **asked)
    _show_table(scores)
    for line in _remarks(scores):
        print(f"webassay: {line}", file=sys.stderr)
    return 1 if scores.unevaluated else 0


@contextmanager
def _watching(console: Console) -> Iterator[Watch]:
    """A bar on a terminal, a line every few seconds elsewhere."""
    if not console.is_terminal:
        yield _plain_lines()
        return
    columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[counts]}"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        bar, counts = progress.add_task("", total=None, counts=""), defaultdict[str, int](int)

        def watch(row: Row, done: int, total: int) -> None:
            counts[row.status] += 1
            said = "  ".join(f"{status} {count}" for status, count in counts.items())
            progress.update(bar, completed=done, total=total, counts=said)

        yield watch


def _plain_lines() -> Watch:
    last = time.monotonic()

    def watch(row: Row, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            print(f"webassay: {done} of {total} scored", file=sys.stderr, flush=True)

    return watch


def _show_table(scores: Scores) -> None:
    """As wide as the terminal, or Markdown where there is none."""
    import pandas as pd  # a third of a second that mistakes need not wait for

    lines, console = table_lines(scores.rows, scores.plan.confidence), Console()
    if not console.is_terminal:
        print(pd.DataFrame(lines).to_markdown(index=False, disable_numparse=True), f"\n{NOTE}\n", sep="\n")
        return
    table = Table(*(Column(name, overflow="fold", no_wrap=name == "sites") for name in lines[0]))
    for line in lines:
        table.add_row(*line.values())
    console.print(table, Markdown(NOTE))


def table_lines(rows: Iterable[Row], confidence: float) -> list[dict[str, str]]:
    """By the sites of the tasks, and overall."""
    rows = list(rows)
    by_site: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_site["+".join(sorted(row.sites.split("+")))].append(row)
    groups = sorted(by_site.items()) if len(by_site) > 1 else []
    return [_line(name, group, confidence) for name, group in [*groups, ("all tasks", rows)]]


def _line(name: str, rows: list[Row], confidence: float) -> dict[str, str]:
    import pandas as pd

    from webassay.stats.success import template_macro

    frame = pd.DataFrame([(row.template, row.score) for row in rows], columns=["template", "score"])
    frame["score"] = frame["score"].astype(float)
    graded = frame.dropna(subset="score")
    macro = template_macro(graded, confidence)
    counts = {
        status: sum(row.status == status for row in rows) for status in ("success", "failure", "error", "missing")
    }
    evaluated, unparsed = len(rows) - counts["missing"], sum(row.parse_failure for row in rows)
    spread = "n/a" if macro.half_width is None else f"{100 * macro.half_width:.1f}"
    return {
        "sites": name,
        "n": str(len(rows)),
        **{status: str(count) for status, count in counts.items()},
        "unparsed %": _rate(unparsed, evaluated),
        "success %, all": _rate(counts["success"], len(rows)),
        "success %, graded": _rate(counts["success"], len(graded)),
        f"macro ± {100 * confidence:g} % CI": (
            "n/a" if macro.mean is None else f"{100 * macro.mean:.1f} ± {spread} (T={macro.templates})"
        ),
    }


def _rate(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} (n={of})" if of else "n/a (n=0)"


def _remarks(scores: Scores) -> Iterator[str]:
    plan, rows = scores.plan, scores.rows
    missing = [row for row in rows if row.status == "missing"]
    files = f"{plan.out}/scores.csv, eval_results.json and <task_id>/eval_result.json"
    done = f"judged {scores.judged} now" if scores.judged else "nothing to do"
    yield f"{plan.eval_hash} on {plan.benchmark}: {done}, {scores.kept} stood already; {files}"
    if scores.strangers:
        yield f"ignored, no tasks of {plan.benchmark}: {ranges(scores.strangers)}"
    for evaluator, names in scores.unlisted.items():
        why = "their files or sites' addresses have changed" if evaluator == plan.eval_hash else "--out keeps both"
        yield f"no longer in scores.csv, verdicts of {evaluator} ({len(names)}): {ranges(names)}; {why}"
    yield from _unplaced(plan, rows)
    for reason, group in groupby(sorted(missing, key=lambda row: row.reason), key=lambda row: row.reason):
        names = [row.task_id for row in group]
        yield f"missing, {reason} ({len(names)}): {ranges(names)}"
    errors = [row for row in rows if row.status == "error"]
    for row in errors[:LISTED]:
        yield f"error, task {row.task_id}: {row.reason.removeprefix(f'task {row.task_id}: ')}"
    if len(errors) > LISTED:
        yield f"… and {len(errors) - LISTED} more errors, in scores.csv"
    if missing and not errors and any(row.reason == "no folder" for row in missing):
        yield "--tasks 1,2,5-9 or --sites scores a part of the benchmark as the whole"


def _unplaced(plan: Plan, rows: Iterable[Row]) -> Iterator[str]:
    """A site that no trace touches at all was rather somewhere else than never visited."""
    graded = [row for row in rows if row.score is not None]
    for site in sorted({name for row in graded for name in row.unvisited}):
        on_site = [row for row in graded if site in row.sites.split("+")]
        if len(on_site) > 1 and all(site in row.unvisited for row in on_site):
            given = (plan.placed or {}).get(site, {}).get("urls") or ["?"]
            yield (
                f"none of {len(on_site)} traces has an answered request to {site} at {given[0]}: if it was elsewhere, "
                f"give --config or environment.sites.{site}.url=…"
            )
