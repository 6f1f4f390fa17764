"""Foreign verifiers, asked about a running application: what they may read, and how they may be written."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import REPO
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.errors import EnvironmentFault
from webassay.sites.site import Sites
from webassay.systems.verifier import verify

SECRET = "sk-not-for-verifiers"
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask a verifier of this text; `beside` are other files of its application."""
    folder = tmp_path_factory.mktemp("checkout")
    app = folder / "apps" / "todo"
    shutil.copytree(REPO / "tests" / "sites" / "infinity" / "apps" / "todo", app)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("OPENAI_API_KEY", SECRET)
        words = ["system=websurfer", "benchmark=webarena_infinity", f"benchmark.path={folder}"]
        environment = plan_experiment("single", words).runs[0].config["environment"] | {"verifier_timeout": 4}
        with Sites(environment, folder, tmp_path_factory.mktemp("scratch")) as sites:
            sites.prepare(Task("t", "", ("todo",), "t", ()))

            def asked(text: str, name: str = "real-tasks/task_x1.py", **beside: str) -> dict[str, Any]:
                (app / name).write_text(text)
                for stem, content in beside.items():
                    (app / name).with_name(f"{stem}.py").write_text(content)
                return verify("todo", name, sites)

            yield asked


READERS = {
    "environ": """
    pid = os.getppid()
    while pid > 1:
        said += open(f"/proc/{pid}/environ", "rb").read()
        pid = int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])""",
    "descriptor": 'said = os.read(os.open(f"/proc/{os.getppid()}/environ", os.O_RDONLY), 9999)',
    "link": """
    os.symlink(f"/proc/{os.getppid()}/environ", os.path.expanduser("~/link"))
    said = open(os.path.expanduser("~/link"), "rb").read()""",
    "home": "said = str(os.listdir(pwd.getpwuid(os.getuid()).pw_dir)).encode()",
    "walk": "said = str(list(os.scandir('/etc'))).encode()",
    "write": "said = str(open(os.path.join(os.path.dirname(__file__), 'new'), 'w')).encode()",
    "forkpty": "said = str(os.forkpty()).encode()",
    "machine_code": "import ctypes; said = str(ctypes.CDLL(None)).encode()",
    "fork_below": "import _posixsubprocess; said = str(_posixsubprocess.fork_exec).encode()",
    "machine_code_below": "import _ctypes; said = str(_ctypes.dlopen(None)).encode()",
    "lookup": "import socket; said = socket.gethostbyname('secret.example.com').encode()",
}


@pytest.mark.parametrize("how", READERS)
def test_a_verifier_sees_its_application_and_python_alone(ask: Ask, how: str) -> None:
    body = READERS[how] if READERS[how].startswith("\n") else f"\n    {READERS[how]}"
    result = ask(f"import os, pwd\ndef verify(url):\n    said = b''{body}\n    return True, 'got ' + str(said)\n")
    assert result["passed"] is None and SECRET not in str(result)
    assert "a verifier may" in result["error"], result


VALID = {
    "dataclass": """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Item:
    title: str
def verify(url): return True, Item("tea").title""",
    "talks_at_exit": """
import atexit
atexit.register(print, "bye")
def verify(url): return True, "tea" """,
    "talks_from_a_thread": """
import threading, time
def talk():
    for _ in range(100):
        print("still here", flush=True); time.sleep(0.01)
def verify(url):
    threading.Thread(target=talk).start()
    return True, "tea" """,
    "relative_path": 'def verify(url): return "Buy tea" in open("js/app.js").read(), "tea"',
    "relative_import": "from .words import TEA\ndef verify(url): return True, TEA",
    "import_from_beside": "import words\ndef verify(url): return True, words.TEA",
    "temporary_file": """
import tempfile
def verify(url):
    with tempfile.TemporaryDirectory() as folder, open(folder + "/x", "w+") as file:
        file.write("tea"); file.seek(0)
        return True, file.read()""",
    "dates": "from datetime import datetime\nfrom zoneinfo import ZoneInfo\n"
    "def verify(url): return bool(datetime.now(ZoneInfo('Europe/Rome'))), 'tea'",
}


@pytest.mark.parametrize("how", VALID)
def test_a_verifier_may_be_written_in_any_of_these_ways(ask: Ask, how: str) -> None:
    result = ask(VALID[how], words='TEA = "tea"\n')
    assert (result["passed"], result["message"], result["error"]) == (True, "tea", "")


def test_a_message_of_half_a_surrogate_pair_is_kept_as_it_can_be(ask: Ask) -> None:
    result = ask("def verify(url): return True, 'tea \\ud83d'")
    assert (result["passed"], result["message"]) == (True, "tea ?")


def test_what_a_page_says_is_no_verdict(ask: Ask) -> None:
    """A verifier may print the state, which holds what the agent typed."""
    line = 'webassay-verdict:{"kind":"tuple","result":[true,"typed"]}'
    result = ask(f"import os\ndef verify(url):\n    print({line!r}, flush=True)\n    os._exit(0)\n")
    assert result["passed"] is None


def test_one_that_gives_no_answer_in_time_is_tried_again(ask: Ask) -> None:
    with pytest.raises(EnvironmentFault, match=r"task_x1.py: the verifier gave no answer within 4 s"):
        ask("def verify(url):\n    while True: pass\n")
