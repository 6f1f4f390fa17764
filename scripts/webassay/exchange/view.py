"""`webassay import` and `webassay export`: progress, a short summary, and the reason of everything skipped."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from webassay.exchange.exporting import export_trajectories
from webassay.exchange.importing import import_trajectories
from webassay.exchange.report import Moved, Report, Watch

LISTED = 20
PLAIN_SECONDS = 5.0


def import_and_show(source: str, dest: str, format_name: str | None, limit: int | None) -> int:
    """0 when every trajectory found is in DEST, 1 when one had to be skipped."""
    with _watching("importing") as watch:
        report = import_trajectories(source, dest, format_name, limit=limit, watch=watch)
    return _show(report, dest)


def export_and_show(source: str, dest: str, format_name: str, limit: int | None) -> int:
    with _watching("exporting") as watch:
        report = export_trajectories(source, dest, format_name, limit=limit, watch=watch)
    return _show(report, dest)


@contextmanager
def _watching(doing: str) -> Iterator[Watch]:
    """A bar on a terminal, a line every few seconds elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _plain_lines(doing)
        return
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[name]}", markup=False))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        bar = progress.add_task("", total=None, name="")

        def watch(moved: Moved, done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total, name=_plain(moved.name)[:60])

        yield watch


def _plain_lines(doing: str) -> Watch:
    last = time.monotonic()

    def watch(moved: Moved, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            print(f"webassay: {doing}, {done} of {total}", file=sys.stderr, flush=True)

    return watch


def _show(report: Report, dest: str) -> int:
    skipped = report.of("skipped")
    print(
        f"webassay: format {report.format}: {len(report.of('written'))} written to {Path(dest)}, "
        f"{len(report.of('standing'))} stood already, {len(skipped)} skipped"
    )
    for one in skipped[:LISTED]:
        print(f"webassay: skipped {_plain(one.name)}: {_plain(one.reason)}", file=sys.stderr)
    if len(skipped) > LISTED:
        print(f"webassay: … and {len(skipped) - LISTED} more", file=sys.stderr)
    reasons = Counter(part.why for one in report.moved for part in one.left_out)
    for why, count in reasons.most_common(LISTED):
        example = next(part.what for one in report.moved for part in one.left_out if part.why == why)
        print(f"webassay: left out {count} × {_plain(why)} (such as {_plain(example)})", file=sys.stderr)
    return 1 if skipped else 0


def _plain(text: str) -> str:
    """File names may hold what moves a cursor or recolours a terminal."""
    return "".join(character if character.isprintable() else "�" for character in text)[:500]
