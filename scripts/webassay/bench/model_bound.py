"""Agents that mostly wait for their model: how near eight of them come to the ideal rate, and what is counted of it."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from webassay.bench.table import Row, compared
from webassay.bench.workflow import Workplace
from webassay.core.files import read_json
from webassay.core.task import Task
from webassay.errors import WebassayError

if TYPE_CHECKING:
    from webassay.systems.session import Session

VERSION = 1
GOAL = 1 / 0.9
LATENCY = 0.5
PRICES = {"prompt": 2.0, "completion": 8.0}
ANSWER = {"action": "mutate", "status": "SUCCESS", "results": None, "error_details": None}


@dataclass(frozen=True)
class Asking:
    """Asks its questions one after the other, and does nothing else."""

    prompt: str
    questions: int

    def solve(self, task: Task, session: "Session") -> str:
        for number in range(self.questions):
            session.ask("Asking", [{"role": "user", "content": f"{number}: {task.intent}"}])
        return json.dumps(ANSWER)


@dataclass
class Endpoint:
    """Answers after LATENCY, and keeps count."""

    url: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    answered: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, asked: bytes) -> tuple[int, int]:
        with self.lock:
            self.answered.append(time.time())
            counts = (len(asked), 1 + len(self.answered) % 7)
            self.prompt_tokens += counts[0]
            self.completion_tokens += counts[1]
        return counts

    @property
    def money(self) -> float:
        return (self.prompt_tokens * PRICES["prompt"] + self.completion_tokens * PRICES["completion"]) / 1e6


def model_bound_row(folder: Path, workers: int, tasks: int, questions: int) -> Row:
    """Seconds a question, while all workers are at work; ideally each has its answer LATENCY after the one before."""
    with _endpoint() as endpoint:
        place = Workplace(folder, _overrides(endpoint, workers, tasks, questions))
        plan = place.plan()
        run = folder / plan.runs[0].folder
        place.run(*(plan.runs[0].folder / "executed" / f"{shard}.json" for shard in plan.shards))
    _check_count(endpoint, run, tasks * questions)
    what = f"{workers} agents at once that wait {LATENCY} s for each of their model's answers; tokens and money agree"
    pair = (_seconds_a_question(endpoint, run, workers), LATENCY / workers)
    return compared(f"{what}; a question / ideally", "s", [pair], GOAL)


def _overrides(endpoint: Endpoint, workers: int, tasks: int, questions: int) -> str:
    system = "system=knowledge_only system.name=asking system.kind=webassay.bench.model_bound:Asking"
    model = f"model=gpt-4o model.endpoints=[{endpoint.url}] model.api_key_env=null"
    prices = " ".join(f"model.prices.{kind}={amount}" for kind, amount in PRICES.items())
    bounds = f"+system.options.questions={questions} benchmark.select.limit={tasks} execution.workers={workers}"
    return f"{system} {model} {prices} {bounds}"


def _seconds_a_question(endpoint: Endpoint, run: Path, workers: int) -> float:
    """From the start of the last worker until one finds no more to do."""
    times = [read_json(path) for path in run.glob("traj/*/times.json")]
    began: float = sorted(each["start_time"] for each in times)[workers - 1]
    ended: float = sorted(each["end_time"] for each in times)[-workers]
    answered = sum(began <= moment <= ended for moment in endpoint.answered)
    if not answered:
        raise WebassayError("bench: the workers were never at work together; the measurement is void")
    return (ended - began) / answered


def _check_count(endpoint: Endpoint, run: Path, questions: int) -> None:
    used = [read_json(path)["token_usage"]["Asking"] for path in run.glob("traj/*/*_final_answer.json")]
    ours = [sum(each[kind] for each in used) for kind in ("num_calls", "prompt_tokens", "completion_tokens")]
    theirs = [len(endpoint.answered), endpoint.prompt_tokens, endpoint.completion_tokens]
    money = sum(each["cost"] for each in used)
    if ours != theirs or ours[0] != questions or abs(money - endpoint.money) > 1e-9:
        raise WebassayError(
            f"bench: of {questions} questions the endpoint counted {theirs} (money {endpoint.money:g}), "
            f"and webassay {ours} (money {money:g})"
        )


@contextmanager
def _endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(LATENCY)
            prompt, completion = endpoint.count(asked)
            usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Go on."}}
            record = {"id": "1", "object": "chat.completion", "created": 1, "model": "waiting", "usage": usage}
            body = json.dumps(record | {"choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield endpoint
        finally:
            server.shutdown()
