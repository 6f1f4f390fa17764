"""`webassay analyze`: the tables on the terminal, and where the files are."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from webassay.config.paths import RESULTS
from webassay.errors import WebassayError
from webassay.report.analysis.analysis import Analysis, analyze
from webassay.report.analysis.places import places_under
from webassay.report.analysis.tables import judges_of

OUT = RESULTS / "analysis"
LISTED = 20


def analyze_and_show(
    paths: Sequence[str], *, out: str | None, judge: str | None, max_rounds: int | None, budgets: Sequence[int]
) -> int:
    """0 when every trajectory could be read, 1 when some could not, or there are none."""
    analysis, folder = analyze(places_under(paths, judge, max_rounds), budgets), Path(out or OUT)
    if judge is not None and analysis.records and not judges_of(analysis.records):
        raise WebassayError(f"no trajectory has a score of {judge}; its scores/ have the names that can be asked for")
    analysis.write(folder)
    _show(analysis)
    print(f"All of it: {os.path.relpath(folder)} ({len(analysis.records)} trajectories)")
    unreadable = [record for record in analysis.records if record.outcome == "unreadable"]
    for record in unreadable[:LISTED]:
        print(f"webassay: cannot be read: {record.reason}", file=sys.stderr)
    if len(unreadable) > LISTED:
        print(f"webassay: and {len(unreadable) - LISTED} more, see {folder / 'errors.md'}", file=sys.stderr)
    if not analysis.records:
        print(f"webassay: no trajectories in {', '.join(paths)}", file=sys.stderr)
    return 1 if unreadable or not analysis.records else 0


def _show(analysis: Analysis) -> None:
    console = Console()
    for table in analysis.tables:
        console.print(Markdown(table.markdown)) if console.is_terminal else print(table.markdown)
