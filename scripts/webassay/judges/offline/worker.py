"""One worker process of scoring: judges a task, writes its eval_result.json, says how it ended; until its input ends.

Speaks JSON Lines, as the workers of a run do: the first line in says what holds for all, each further one is a task.
"""

import gc
import os
from pathlib import Path
from typing import IO, Any

import msgspec

from webassay.config.kinds import build_judge
from webassay.core.processes import follow, private_pipes
from webassay.core.task import Task
from webassay.core.verdict import Verdict
from webassay.errors import TrajectoryError, WebassayError
from webassay.judges.offline.ledger import Entry, Row
from webassay.judges.offline.results import Provenance, eval_result, one_line, release_result, to_json, write_result
from webassay.judges.release import rules as release
from webassay.judges.verified import Verified, evaluate_file, unjudged

MAX_RESPONSE = 64 * 2**20


class Brief(msgspec.Struct, frozen=True):
    out: str
    judge: dict[str, Any]
    """Its configuration."""
    provenance: Provenance


class Order(msgspec.Struct, frozen=True):
    task: Task
    identity: str
    response: str
    trace: str
    environments: dict[str, Any] | None


class Report(msgspec.Struct, frozen=True):
    entry: Entry | None = None
    final: bool = True
    """False when the judge itself broke: then the next run tries again."""
    fatal: str = ""
    """Nothing more can be written: all stops and says this."""


def main() -> None:
    follow(os.getppid())
    orders, reports = private_pipes()
    brief = msgspec.json.decode(orders.readline(), type=Brief)
    judge = build_judge({"judge": brief.judge})
    gc.freeze()  # what is loaded now stays: the collector need not walk it for each trace
    _send(reports, Report())
    for line in orders:
        try:
            _send(reports, _carry_out(msgspec.json.decode(line, type=Order), judge, brief))
        except OSError as error:
            _send(reports, Report(fatal=f"{error.filename or brief.out}: {error.strerror}"))


def _carry_out(order: Order, judge: Verified, brief: Brief) -> Report:
    verdict, document, final = judged(order, judge, brief.provenance)
    return Report(record(order.task, order.identity, verdict, document, brief), final)


def record(task: Task, identity: str, verdict: Verdict, document: dict[str, Any] | None, brief: Brief) -> Entry:
    """Write the task's eval_result.json; the ledger's entry vouches for it, so a torn one is written again."""
    content = to_json(document or eval_result(task, verdict, brief.provenance))
    write_result(Path(brief.out) / task.task_id, content)
    evaluator = brief.provenance.webarena_verified_evaluator_checksum.removeprefix("webassay:")
    return Entry(identity, row_of(task, verdict), len(content), evaluator)


def judged(order: Order, judge: Verified, provenance: Provenance) -> tuple[Verdict, dict[str, Any] | None, bool]:
    """A verdict whatever the files hold, its document where the profile has one of its own, and whether it is final."""
    document = None
    try:
        text, trace = read_response(Path(order.response), strict=judge.profile == "release"), Path(order.trace)
        if judge.profile == "release":
            result = release.file_results(order.task, text, trace, order.environments)
            verdict, document = result.verdict(), release_result(order.task, result, provenance)
        else:
            verdict = evaluate_file(order.task, text, trace, environments=order.environments, rules=judge.rules)
    except WebassayError as error:
        verdict = unjudged(error)
    except Exception as error:  # whatever went wrong in a judge, it is not the agent's failure and not the others'
        return Verdict(None, "error", f"judge_error: {error!r}", attribution="harness"), None, False
    folder = str(Path(order.trace).parent)
    reason = verdict.reason.replace(f"{folder}{os.sep}", "").replace(folder, "the folder")  # the same wherever logs are
    return msgspec.structs.replace(verdict, reason=reason), document, True


def read_response(path: Path, *, strict: bool) -> str:
    """The agent's words; too many, or bytes that are no UTF-8, are its failure to answer. `strict`: an error."""
    with path.open("rb") as stream:
        content = stream.read(MAX_RESPONSE + 1)
    if strict and len(content) > MAX_RESPONSE:
        raise TrajectoryError(f"{path.name}: more than {MAX_RESPONSE >> 20} MB, too large to be judged")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        if strict:
            raise TrajectoryError(f"{path.name}: not UTF-8 ({error.reason} at byte {error.start})") from None
        return content.decode(errors="surrogateescape")  # which no reader of responses accepts


def row_of(task: Task, verdict: Verdict) -> Row:
    unvisited = [
        check.name.partition(".")[2]
        for check in verdict.assertions
        if check.name.startswith("activity.") and not check.passed
    ]
    return Row(
        task.task_id,
        task.template,
        "+".join(task.sites),
        verdict.status,
        verdict.score,
        one_line(verdict.reason),
        verdict.attribution,
        verdict.parse_failure,
        tuple(unvisited),
    )


def _send(reports: IO[bytes], report: Report) -> None:
    reports.write(msgspec.json.encode(report) + b"\n")


if __name__ == "__main__":
    main()
