"""`webassay verify` as people see it: what is under way, what came out, what could not be judged."""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from webassay.errors import WebassayError
from webassay.judges.lifecycle import Judgement, needs_attention
from webassay.judges.verify.crowd import judge_all
from webassay.judges.verify.plan import Plan, plan_verification
from webassay.judges.verify.report import report_row, unknown_row, write_report

PLAIN_SECONDS = 5.0
LISTED = 20


class Watch(Protocol):
    """Told of each trajectory that is done with."""

    def __call__(self, status: str) -> None: ...


def verify_and_show(paths: Sequence[Path], **asked: Any) -> int:
    """0 when every trajectory has a judgement, 1 when some could not be judged."""
    plan = plan_verification(paths, **asked)
    rows = [unknown_row(folder, plan.court, why) for folder, why in plan.unknown.items()]
    judged: list[Judgement] = []
    try:
        with _watching(len(plan.cases)) as watch:
            for row, judgement in _judged(plan):
                rows.append(row)
                judged.append(judgement)
                watch(str(row["status"]))
    except BaseException:  # also of what was judged before Ctrl-C; that it cannot be written is the lesser news
        with suppress(WebassayError):
            write_report(plan.report, rows)
        raise
    write_report(plan.report, rows)
    _show(plan, rows, judged)
    return 1 if plan.unknown or any(needs_attention(row) for row in judged) else 0


def _judged(plan: Plan) -> Iterator[tuple[dict[str, Any], Judgement]]:
    for case, judgement, kept, seconds in judge_all(plan.cases, plan.court, plan.workers):
        yield report_row(case, plan.court, judgement, kept, seconds), judgement


def _show(plan: Plan, rows: Sequence[dict[str, Any]], judged: Sequence[Judgement]) -> None:
    import pandas as pd  # a third of a second that mistakes need not wait for

    from webassay.stats.success import interval_metrics, success_metrics

    counts = Counter(str(row["status"]) for row in rows)
    print(f"{plan.court.eval_hash}: " + ", ".join(f"{status} {count}" for status, count in sorted(counts.items())))
    if judged:
        fields = Judgement.__struct_fields__
        table = pd.DataFrame([{name: getattr(row, name) for name in fields} for row in judged]).astype(
            {"score": "float64"}
        )
        numbers = success_metrics(table) | interval_metrics(table, plan.confidence)
        for name in ("all", "graded", "answered"):
            print(f"success, {name}: {_rate(numbers[f'micro_{name}'])} of {numbers[f'n_{name}']}")
        half, templates = numbers["macro_all_half_width"], numbers["templates_all"]
        print(f"template-macro: {_rate(numbers['macro_all'])} ± {_rate(half)} (T={templates})")
    print(f"report: {plan.report}")
    problems = [_problem(str(row["traj_dir"]), str(row["error"])) for row in rows if row.get("error")]
    for problem in problems[:LISTED]:
        print(f"webassay: {problem}", file=sys.stderr)
    if len(problems) > LISTED:
        print(f"webassay: … and {len(problems) - LISTED} more, in {plan.report}", file=sys.stderr)


def _problem(folder: str, error: str) -> str:
    """Naming the folder once."""
    return error if error.startswith(folder) else f"{folder}: {error}"


def _rate(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f} %"


@contextmanager
def _watching(total: int) -> Iterator[Watch]:
    """A bar on a terminal, a line every few seconds elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _plain_lines(total)
        return
    columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[counts]}"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        bar, counts = progress.add_task("", total=total, counts=""), Counter[str]()

        def watch(status: str) -> None:
            counts[status] += 1
            said = "  ".join(f"{name} {count}" for name, count in counts.items())
            progress.update(bar, advance=1, counts=said)

        yield watch


def _plain_lines(total: int) -> Watch:
    last, done = time.monotonic(), 0

    def watch(status: str) -> None:
        nonlocal last, done
        done += 1
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            print(f"webassay: {done} of {total} judged", file=sys.stderr, flush=True)

    return watch
