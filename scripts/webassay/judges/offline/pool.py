"""Worker processes that judge tasks side by side; one that dies or hangs loses the task it had, and no other."""

import os
import queue
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence

import msgspec

from webassay.core.learned import learn_types
from webassay.core.processes import child_environment, die_with_parent
from webassay.core.verdict import Verdict
from webassay.errors import EnvironmentFault
from webassay.judges.offline.worker import Brief, Order, Report, record

CHUNK = 16
"""Orders given at once, so that no worker waits for the next; their reports together fit into a pipe."""


class _Worker:
    """This side of one process; made and used by one thread, with which the process dies."""

    def __init__(self, brief: Brief, seconds: float) -> None:
        self._seconds = seconds
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  stop() closes it
        self._process = subprocess.Popen(
            [sys.executable, "-m", "webassay.judges.offline.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            preexec_fn=die_with_parent,
            start_new_session=True,  # Ctrl-C is for the command: what is under way may end
            env=child_environment(),
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._orders, self._reports = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._orders, False)  # a worker that hangs reads nothing, and a pipe holds 64 KB
        self._unsent, self._heard, self._late = b"", b"", False
        self.send([brief])
        if self.receive() is None:
            raise EnvironmentFault(f"a worker did not start: {self._last_words()}")

    def send(self, messages: Sequence[Brief | Order]) -> None:
        """As far as the pipe takes it at once; receive() sends the rest, under its time limit."""
        self._unsent += b"".join(msgspec.json.encode(message) + b"\n" for message in messages)
        self._write()

    def receive(self) -> Report | None:
        """None when the process died, or took too long and was killed."""
        deadline = time.monotonic() + self._seconds
        while b"\n" not in self._heard:
            ready = self._wait(max(0.0, deadline - time.monotonic()))
            if not ready:
                self._late = True
                return None
            if self._orders in ready:
                self._write()
            if self._reports in ready:
                more = os.read(self._reports, 65536)
                if not more:
                    return None
                self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        return msgspec.json.decode(line, type=Report)

    def _wait(self, seconds: float) -> set[int]:
        """The pipes that can be used now; none after so long."""
        with selectors.PollSelector() as pipes:
            pipes.register(self._reports, selectors.EVENT_READ)
            if self._unsent:
                pipes.register(self._orders, selectors.EVENT_WRITE)
            return {key.fd for key, _ in pipes.select(seconds)}

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._orders, self._unsent) :]
        except BlockingIOError:
            pass  # the pipe is full
        except BrokenPipeError:
            self._unsent = b""  # it died; receive() tells

    def why(self) -> str:
        """In words, after receive() gave None."""
        self._process.kill()
        status = self._process.wait()
        if self._late:
            return f"it took longer than {self._seconds:g} s and was stopped"
        if status == -signal.SIGKILL:
            return "its worker was killed (signal 9), perhaps for want of memory"
        return (
            f"its worker died ({f'signal {-status}' if status < 0 else f'exit status {status}'}): {self._last_words()}"
        )

    def kill(self) -> None:
        self._process.kill()

    def stop(self) -> None:
        self._process.kill()
        with self._process, self._errors:
            pass  # waits, and closes the pipes

    def _last_words(self) -> str:
        self._errors.seek(0)
        return (self._errors.read().decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]


class Pool:
    """Threads, one for each process, that take chunks of orders from one queue."""

    def __init__(self, brief: Brief, jobs: int | None, seconds: float) -> None:
        self._brief, self._seconds = brief, seconds
        self._jobs = jobs or available_cores()
        self._waiting: queue.SimpleQueue[list[Order]] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Report | Exception] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._workers: list[_Worker] = []

    def judge(self, orders: Sequence[Order]) -> Iterator[Report]:
        """A report for each order, as they come; an error that concerns all is raised."""
        size = max(1, min(CHUNK, len(orders) // (4 * self._jobs)))
        for start in range(0, len(orders), size):
            self._waiting.put(list(orders[start : start + size]))
        count = min(self._jobs, self._waiting.qsize())
        learn_types()
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        try:
            for _ in orders:
                report = self._done.get()
                if isinstance(report, Exception):
                    raise report
                yield report
        finally:
            self._stop.set()
            for worker in list(self._workers):
                worker.kill()
            for thread in threads:
                thread.join()

    def _work(self) -> None:
        """The life of a thread; after a death the rest of the chunk goes to a new worker."""
        worker: _Worker | None = None
        rest: list[Order] = []
        try:
            while not self._stop.is_set() and (rest or (rest := self._next_chunk())):
                if worker is None:
                    worker = _Worker(self._brief, self._seconds)
                    self._workers.append(worker)
                rest, alive = self._judge_chunk(worker, rest)
                if not alive:
                    self._workers.remove(worker)
                    worker.stop()
                    worker = None
        except Exception as error:
            self._done.put(error)
        finally:
            if worker is not None:
                worker.stop()

    def _next_chunk(self) -> list[Order]:
        try:
            return self._waiting.get_nowait()
        except queue.Empty:
            return []

    def _judge_chunk(self, worker: _Worker, chunk: list[Order]) -> tuple[list[Order], bool]:
        """What is left of it, and whether the worker lives."""
        worker.send(chunk)
        for number, order in enumerate(chunk):
            if self._stop.is_set():
                return [], True
            report = worker.receive()
            if report is None and not self._stop.is_set():
                self._done.put(_lost(order, worker.why(), self._brief))
            if report is None:
                return chunk[number + 1 :], False
            if report.fatal:
                raise EnvironmentFault(report.fatal)
            self._done.put(report)
        return [], True


def available_cores() -> int:
    """Those that this process may use, which a container or a cluster's job may limit."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _lost(order: Order, why: str, brief: Brief) -> Report:
    verdict = Verdict(None, "error", f"judge_error: {why}", attribution="harness")
    return Report(record(order.task, order.identity, verdict, None, brief), final=False)
