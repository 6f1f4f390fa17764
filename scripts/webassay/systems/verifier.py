"""A benchmark's own verifier: foreign code, asked in a process that has nothing to give away.

It gets an empty environment, a scratch folder as its home, limits on time, memory and files, and the audit hook of
`verifier_guard.py`, which keeps it from other files, addresses and programs.
"""

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import decode_lenient
from webassay.core.processes import die_with_parent, scratch_folder
from webassay.errors import EnvironmentFault
from webassay.sites.site import Sites

MOST_TEXT = 2000
MEMORY = 2 * 2**30
MOST_BYTES = 16 * 2**20
GUARD = Path(__file__).with_name("verifier_guard.py")


class Verification(msgspec.Struct, frozen=True):
    """`verifier.json`."""

    verifier: str
    passed: bool | None
    """None when it gave no verdict: `error` says why."""
    message: str
    seconds: float
    error: str = ""


def verify(site: str, file: str, sites: Sites) -> dict[str, Any]:
    """Ask `verify(server_url)` of the file in the application's folder about the running application.

    One that throws has no verdict; one that gives no answer in time may have met a busy machine, so the attempt is
    made again.
    """
    process, started = sites.process(site), time.monotonic()
    application = Path(sites.environment["path"]) / site
    path = application / file
    if process is None or not path.is_file():
        return _result(file, started, error=f"{file}: no such verifier in {site}")
    limit = float(sites.environment["verifier_timeout"])
    with scratch_folder() as home, (home / "out").open("w+b") as output, (home / "verdict").open("w+b") as verdict:
        words = [sys.executable, "-I", "-B", str(GUARD), str(application), str(path), str(process.port)]
        status = _run([*words, str(verdict.fileno())], application, home, output, verdict.fileno(), limit)
        if status is None:
            raise EnvironmentFault(f"{file}: the verifier gave no answer within {limit:g} s")
        output.seek(0)
        verdict.seek(0)
        given, said = verdict.read(MOST_BYTES), output.read(MOST_BYTES).decode("utf-8", "replace")
    return _read(file, started, given, status, said)


def _run(words: list[str], folder: Path, home: Path, output: Any, verdict: int, limit: float) -> int | None:
    """The exit status; None where it had to be stopped. Its whole process group ends with it."""
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={"HOME": str(home), "TMPDIR": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        pass_fds=[verdict],
        preexec_fn=lambda: _confine(limit),
        start_new_session=True,
    ) as process:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _confine(seconds: float) -> None:
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))


def _read(file: str, started: float, verdict: bytes, status: int, said: str) -> dict[str, Any]:
    if not verdict:
        *_, last = said.strip().splitlines() or [""]
        return _result(file, started, error=f"the verifier failed (exit status {status}): {last or 'it said nothing'}")
    try:
        given = decode_lenient(verdict)
    except ValueError:
        return _result(file, started, error="the verifier's result is too long to be kept")
    result = given["result"]
    if given["kind"] not in ("tuple", "list") or len(result) != 2 or not isinstance(result[0], bool):
        return _result(file, started, error=f"the verifier returned a {given['kind']}, not (bool, str)")
    return _result(file, started, passed=result[0], message=str(result[1]))


def _result(
    file: str, started: float, *, passed: bool | None = None, message: str = "", error: str = ""
) -> dict[str, Any]:
    seconds = round(time.monotonic() - started, 3)
    return msgspec.structs.asdict(Verification(file, passed, message[:MOST_TEXT], seconds, error[:MOST_TEXT]))
