"""Score the logs of anyone's agent: `webassay score` as a function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import webassay
from webassay.core.processes import exclusive
from webassay.core.task import Task
from webassay.core.verdict import Verdict
from webassay.errors import ConfigError, WebassayError
from webassay.judges.offline.ledger import Ledger, Row, in_order
from webassay.judges.offline.logs import Missing, find_inputs, strangers
from webassay.judges.offline.plan import Plan, plan_scoring
from webassay.judges.offline.pool import Pool
from webassay.judges.offline.results import Provenance, write_scores, write_summary
from webassay.judges.offline.worker import Brief, Order, row_of

TASK_SECONDS = 300.0
RELEASE = "1.2.3"
"""The version of webarena-verified whose verdicts the profile `release` gives."""

Watch = Callable[[Row, int, int], None]
"""Told of each verdict as it comes: the row, how many are done, of how many."""


@dataclass(frozen=True)
class Scores:
    plan: Plan
    rows: tuple[Row, ...]
    """One for each task asked for, by number."""
    judged: int
    """How many were judged now; the rest stood already, or is missing."""
    strangers: tuple[str, ...]
    """Folders of tasks that the benchmark has not."""

    @property
    def unevaluated(self) -> list[Row]:
        return [row for row in self.rows if row.status in ("error", "missing")]


def score_logs(
    logs: Path | str,
    *,
    benchmark: str = "webarena_verified",
    profile: str | None = None,
    tasks: str | None = None,
    sites: Sequence[str] = (),
    config: Path | str | None = None,
    dataset: Path | str | None = None,
    out: Path | str | None = None,
    jobs: int | None = None,
    redo: bool = False,
    overrides: Sequence[str] = (),
    seconds: float = TASK_SECONDS,
    watch: Watch | None = None,
) -> Scores:
    """Judge what has not been judged under the same identity; write scores.csv, eval_results.json, eval_result.json.

    `seconds` is the most that one task may take. Everything is in place as soon as it is judged: a call that was broken
    off, or made again with more logs, goes on where it was.
    """
    if jobs is not None and jobs < 1:
        raise ConfigError(f"--jobs {jobs}: at least 1")
    plan = plan_scoring(
        Path(logs),
        benchmark=benchmark,
        profile=profile,
        tasks=tasks,
        sites=sites,
        config=Path(config) if config else None,
        dataset=Path(dataset) if dataset else None,
        out=Path(out) if out else None,
        overrides=overrides,
    )
    try:
        with exclusive(plan.out / ".webassay" / "lock"), Ledger(plan.out) as ledger:
            rows, judged = _score(plan, ledger, jobs, redo, seconds, watch)
            write_scores(plan.out / "scores.csv", rows, plan.eval_hash, plan.judge_version)
            write_summary(plan.out / "eval_results.json", rows, _provenance(plan))
    except OSError as error:
        raise WebassayError(f"{error.filename or plan.out}: {error.strerror}") from None
    return Scores(plan, tuple(rows), judged, tuple(strangers(plan.logs, plan.known, plan.settings)))


def _score(
    plan: Plan, ledger: Ledger, jobs: int | None, redo: bool, seconds: float, watch: Watch | None
) -> tuple[list[Row], int]:
    rows: dict[str, Row] = {}
    orders = []
    for task in plan.tasks:
        found = _order(plan, task)
        if isinstance(found, Row):
            rows[task.task_id] = found
        elif not redo and (kept := ledger.kept(task.task_id, found.identity)):
            rows[task.task_id] = kept
        else:
            orders.append(found)
    pool = Pool(Brief(str(plan.out), plan.judge, _provenance(plan)), jobs, seconds)
    for done, report in enumerate(pool.judge(orders), 1):
        assert report.entry is not None
        rows[report.entry.row.task_id] = report.entry.row
        if report.final:
            ledger.add(report.entry)
        if watch:
            watch(report.entry.row, done, len(orders))
    return in_order(rows.values()), len(orders)


def _order(plan: Plan, task: Task) -> Order | Row:
    """What a worker needs, or why there is nothing for it to do."""
    found = find_inputs(plan.logs / task.task_id, plan.settings)
    if isinstance(found, Missing):
        return Row(task.task_id, task.template, "+".join(task.sites), "missing", None, found.reason)
    try:
        environments = plan.environments(task)
    except ConfigError as error:
        return row_of(task, Verdict(None, "error", str(error), attribution="harness"))
    return Order(task, plan.identity(task, found, environments), found.response, found.trace, environments)


def _provenance(plan: Plan) -> Provenance:
    """The release's verdicts carry its version; others say plainly whose they are."""
    version = RELEASE if plan.profile == "release" else f"webassay {webassay.__version__}"
    return Provenance(version, f"webassay:{plan.eval_hash}", plan.data_checksum)
