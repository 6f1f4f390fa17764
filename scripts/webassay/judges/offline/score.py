"""Score the logs of anyone's agent: `webassay score` as a function."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import webassay
from webassay.config.paths import RESULTS
from webassay.core.processes import exclusive
from webassay.core.task import Task
from webassay.core.verdict import Verdict
from webassay.errors import ConfigError, WebassayError
from webassay.judges.offline.ledger import Ledger, Row, in_order
from webassay.judges.offline.logs import Missing, find_inputs, strangers
from webassay.judges.offline.plan import Plan, plan_scoring
from webassay.judges.offline.pool import Pool
from webassay.judges.offline.results import Provenance, leads_out, write_scores, write_summary
from webassay.judges.offline.worker import Brief, Order, record, row_of

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
    """How many were judged now."""
    kept: int
    """How many stood already; the rest is missing, or an error before there was anything to judge."""
    strangers: tuple[str, ...]
    """Folders of tasks that the benchmark has not."""
    unlisted: dict[str, list[str]]
    """Tasks whose verdicts an earlier scores.csv listed and this one does not, by the judge they are of."""

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
    if RESULTS.resolve().is_relative_to(Path(logs).resolve()):
        raise ConfigError(
            f"{logs}: the current folder's results/ would lie in it, and nothing in a folder of logs is believed; "
            "score it from another folder"
        )
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
        with exclusive(plan.ledger / "lock"), Ledger(plan.ledger, plan.out) as ledger:
            rows, judged, kept = _score(plan, ledger, jobs, redo, seconds, watch)
            known = in_order([*rows, *_standing(plan, ledger)])
            write_scores(plan.out / "scores.csv", known, plan.eval_hash, plan.judge_version)
            write_summary(plan.out / "eval_results.json", known, _provenance(plan))
            unlisted = ledger.unlisted(row.task_id for row in known)
    except OSError as error:
        raise WebassayError(f"{error.filename or plan.out}: {error.strerror}") from None
    others = tuple(strangers(plan.logs, plan.known, plan.settings))
    return Scores(plan, tuple(rows), judged, kept, others, unlisted)


def _score(
    plan: Plan, ledger: Ledger, jobs: int | None, redo: bool, seconds: float, watch: Watch | None
) -> tuple[list[Row], int, int]:
    """A row for each task asked for, how many were judged, and how many were kept."""
    brief = Brief(str(plan.out), plan.judge, _provenance(plan))
    rows: dict[str, Row] = {}
    orders, kept = [], 0
    for task in plan.tasks:
        found = _order(plan, task)
        if isinstance(found, Row):
            rows[task.task_id] = found
        elif isinstance(found, Verdict):
            entry = record(task, "", found, None, brief)  # or an older result would seem to be its own
            ledger.add(entry, final=False)
            rows[task.task_id] = entry.row
        elif not redo and (row := ledger.kept(task.task_id, found.identity)):
            rows[task.task_id] = row
            kept += 1
        else:
            orders.append(found)
    for done, report in enumerate(Pool(brief, jobs, seconds).judge(orders), 1):
        assert report.entry is not None
        rows[report.entry.row.task_id] = report.entry.row
        ledger.add(report.entry, final=report.final)
        if watch:
            watch(report.entry.row, done, len(orders))
    return in_order(rows.values()), len(orders), kept


def _standing(plan: Plan, ledger: Ledger) -> Iterator[Row]:
    """Of tasks that were not asked for now, the verdicts that would be kept if they were: files lose none of them."""
    for task in plan.others:
        found = _order(plan, task) if task.task_id in ledger else None
        if isinstance(found, Order) and (row := ledger.kept(task.task_id, found.identity)):
            yield row


def _order(plan: Plan, task: Task) -> Order | Verdict | Row:
    """What a worker needs, or the error that comes before judging, or why there is nothing to be written at all."""
    found = find_inputs(plan.logs / task.task_id, plan.settings)
    if isinstance(found, Missing):
        return Row(task.task_id, task.template, "+".join(task.sites), "missing", None, found.reason)
    if leads_out(plan.out / task.task_id):
        reason = f"{task.task_id} is a link that leads out of {plan.out}, where nothing is written; give another --out"
        return row_of(task, Verdict(None, "error", reason, attribution="harness"))
    try:
        environments = plan.environments(task)
    except ConfigError as error:
        return Verdict(None, "error", str(error), attribution="harness")
    return Order(task, plan.identity(task, found, environments), found.response, found.trace, environments)


def _provenance(plan: Plan) -> Provenance:
    """The release's verdicts carry its version; others say plainly whose they are."""
    version = RELEASE if plan.profile == "release" else f"webassay {webassay.__version__}"
    return Provenance(version, f"webassay:{plan.eval_hash}", plan.data_checksum)
