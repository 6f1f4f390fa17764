"""A benchmark's own verifier: foreign code, asked in a process that has nothing to give away.

It gets an empty environment, a scratch folder as its home, limits on time, memory, files and processes, and an audit
hook, which Python code cannot remove, that refuses every connection but those to the application. The hook sees what
goes through Python's socket module: a verifier that brings machine code of its own is not held by it.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.processes import die_with_parent, scratch_folder
from webassay.sites.site import Sites

MOST_TEXT = 2000
MEMORY = 2 * 2**30
MARK = "webassay-verdict:"

GUARD = """
import importlib.util, json, sys
file, url, host, port, mark = sys.argv[1:]
places = ((host, int(port)), ("localhost", int(port)))
barred = ("socket.sendto", "socket.sendmsg", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")
def guard(event, args):
    away = event == "socket.connect" and (type(args[1]) is not tuple or args[1][:2] not in places)
    if away or (event == "socket.getaddrinfo" and args[0] not in (host, "localhost", None)):
        raise PermissionError("a verifier may reach only its application, not %r" % (args[:2],))
    if event in barred:
        raise PermissionError("a verifier may not use %s" % event)
import requests
sys.addaudithook(guard)
spec = importlib.util.spec_from_file_location("verifier", file)
module = importlib.util.module_from_spec(spec)
sys.path.insert(0, file.rpartition("/")[0])
spec.loader.exec_module(module)
result = module.verify(url)
pair = list(result) if isinstance(result, (tuple, list)) else []
sys.stdout.write("\\n" + mark + json.dumps({"kind": type(result).__name__, "result": pair}, default=repr) + "\\n")
sys.stdout.flush()
"""


class Verification(msgspec.Struct, frozen=True):
    """`verifier.json`."""

    verifier: str
    passed: bool | None
    """None when it gave no verdict: `error` says why."""
    message: str
    seconds: float
    error: str = ""


def verify(site: str, file: str, sites: Sites) -> dict[str, Any]:
    """Ask `verify(server_url)` of the file in the application's folder about the running application."""
    process, started = sites.process(site), time.monotonic()
    path = Path(sites.environment["path"]) / site / file
    if process is None or not path.is_file():
        return _result(file, started, error=f"{file}: no such verifier in {site}")
    url = f"http://127.0.0.1:{process.port}"
    words = [sys.executable, "-I", "-B", "-c", GUARD, str(path), url, "127.0.0.1", str(process.port), MARK]
    limit = float(sites.environment["verifier_timeout"])
    with scratch_folder() as home, (home / "out").open("w+b") as output:
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=home,
                env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
                timeout=limit,
                preexec_fn=lambda: _confine(limit),
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            return _result(file, started, error=f"the verifier gave no answer within {limit:g} s")
        output.seek(0)
        said = output.read(16 * 2**20).decode("utf-8", "replace")
    return _read(file, started, done.returncode, said)


def _confine(seconds: float) -> None:
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 * 2**20, 16 * 2**20))


def _read(file: str, started: float, status: int, said: str) -> dict[str, Any]:
    *_, last = said.strip().splitlines() or [""]
    if status or not last.startswith(MARK):
        return _result(file, started, error=f"the verifier failed (exit status {status}): {last or 'it said nothing'}")
    given = msgspec.json.decode(last[len(MARK) :])
    result = given["result"]
    if given["kind"] not in ("tuple", "list") or len(result) != 2 or not isinstance(result[0], bool):
        return _result(file, started, error=f"the verifier returned a {given['kind']}, not (bool, str)")
    return _result(file, started, passed=result[0], message=str(result[1]))


def _result(
    file: str, started: float, *, passed: bool | None = None, message: str = "", error: str = ""
) -> dict[str, Any]:
    seconds = round(time.monotonic() - started, 3)
    return msgspec.structs.asdict(Verification(file, passed, message[:MOST_TEXT], seconds, error[:MOST_TEXT]))
