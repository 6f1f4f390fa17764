"""One side of the comparison of judges, in a process of its own: the same loop and clock whoever judges.

Run by name of file with the side and a job's file, by our Python or by that of the release's environment; so nothing
but the standard library is imported before the side is known. What is imported and loaded is not measured, and since
libraries are imported on first use, some tasks are judged once before the clock starts. All results are kept until the
last is there, as the release's own command and whoever makes a table keeps them.
"""

import json
import logging
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

Judge = Callable[[str, Path, Path], Any]
"""Task id, response, trace -> something with a score and a status."""


def main() -> None:
    side, job = sys.argv[1], json.loads(Path(sys.argv[2]).read_text())
    judge = SIDES[side](job)
    logs = Path(job["logs"])

    def verdict(task_id: str) -> Any:
        return judge(task_id, logs / task_id / "agent_response.json", logs / task_id / "network.har")

    for task_id in job["warm_up"]:
        verdict(task_id)
    started = cpu_seconds()
    kept = {task_id: verdict(task_id) for task_id in job["tasks"]}
    seconds = cpu_seconds() - started
    verdicts = {task_id: (found.score, str(found.status)) for task_id, found in kept.items()}
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mb(), "verdicts": verdicts}))


def webassay(profile: str) -> Callable[[dict[str, Any]], Judge]:
    def prepare(job: dict[str, Any]) -> Judge:
        from webassay.benchmarks.webarena_verified import load
        from webassay.judges.verified import evaluate_file

        tasks = {task.task_id: task for task in load(Path(job["dataset"]))}

        def judge(task_id: str, response: Path, trace: Path) -> Any:
            text, environments = response.read_text(), job["environments"]
            return evaluate_file(tasks[task_id], text, trace, environments=environments, profile=profile)

        return judge

    return prepare


def webarena_verified(job: dict[str, Any]) -> Judge:
    """The release through its own interface, with its log switched off."""
    from webarena_verified.api import WebArenaVerified

    logging.disable()
    released = WebArenaVerified(config=Path(job["config"]))

    def judge(task_id: str, response: Path, trace: Path) -> Any:
        return released.evaluate_task(task_id=int(task_id), agent_response=response, network_trace=trace)

    return judge


def decoding(job: dict[str, Any]) -> Judge:
    """No judge at all, and what none can do without."""
    from webassay.bench.decoding import decode

    def judge(task_id: str, response: Path, trace: Path) -> Any:
        response.read_bytes()
        return SimpleNamespace(score=len(decode(trace)), status="decoded")

    return judge


SIDES: dict[str, Callable[[dict[str, Any]], Judge]] = {
    "release": webassay("release"),
    "paper": webassay("paper"),
    "webarena-verified": webarena_verified,
    "decoding": decoding,
}


def cpu_seconds() -> float:
    """Of this process and of children that have ended: a judge may leave work to them."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_mb() -> float:
    """Linux counts what the parent had before exec into ru_maxrss, so ask for this program's own where that is told."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    own = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return (own[0] if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024


if __name__ == "__main__":
    main()
