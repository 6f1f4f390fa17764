"""How near judging by a model comes to what its endpoint's latency alone would take."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from webassay.bench.table import Row, compared
from webassay.config.experiment import plan_experiment
from webassay.config.kinds import build_judge
from webassay.core.processes import child_environment, follow
from webassay.errors import WebassayError
from webassay.judges.health.claims import known_claims
from webassay.judges.health.made import made
from webassay.judges.lifecycle import Court
from webassay.judges.verify.crowd import judge_all

GOAL = 1.2
LATENCY = 0.1
CONCURRENCY = 8
LEAST = 0.9
"""Of the trajectories need a call."""
JUDGE = "system=oracle judge=webvoyager judge.model.name=waiting"


def model_judging_row(folder: Path, count: int, passes: int) -> Row:
    """Pairs of the wall time and calls × latency ÷ concurrency; each pass has a store of its own."""
    with _server() as url:
        _judge(folder / "warm", 1, url)  # what a process does once: imports, connections
        pairs = [_judge(folder / str(number), count, url) for number in range(passes)]
    what = f"{count} trajectories judged by a model that takes {LATENCY:g} s / calls × latency ÷ {CONCURRENCY}; wall"
    return compared(what, "s", pairs, GOAL)


def _judge(folder: Path, count: int, url: str) -> tuple[float, float]:
    """The time taken, and what the calls alone take; a run that says and shows what another did needs none."""
    cases = [made(claim, folder / claim.name) for claim in known_claims(count, str(folder))]
    words = f"{JUDGE} judge.model.endpoints=[{url}] llm.folder={folder / 'llm'}"
    plan = plan_experiment("single", words).runs[0]
    court = Court(build_judge(plan.config), plan.eval_hash, plan.identity["judge"])
    began = time.perf_counter()
    rows = [row for _, row, _, _ in judge_all(cases, court, CONCURRENCY)]
    taken = time.perf_counter() - began
    asked = len(list((folder / "llm").glob("??/*.json.gz")))
    if asked < LEAST * count or any(row.score is None for row in rows):
        raise WebassayError(f"bench: {asked} calls for {count} trajectories, {rows[0].reason}; the measurement is void")
    return taken, asked * LATENCY / CONCURRENCY


@contextmanager
def _server() -> Iterator[str]:
    """In a process of its own: an endpoint takes none of the judge's time."""
    words = [sys.executable, "-m", "webassay.bench.model_judging"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.PIPE, env=child_environment()) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().decode().strip()
        finally:
            process.kill()


class _Answer(BaseHTTPRequestHandler):
    """A failure with the question's mark, after a while."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        mark = asked.rpartition('\\"mark\\": \\"')[2][:16]
        time.sleep(LATENCY)
        said = json.dumps({"mark": mark, "reason": "measured", "evidence": [], "verdict": "failure"})
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        record = {"id": "1", "object": "chat.completion", "created": 1, "model": "waiting", "choices": [choice]}
        body = json.dumps(record).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def main() -> None:
    follow(os.getppid())
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answer) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
