"""A copy of an environment's sites is ready only when it is its own process that answers."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from webassay.core.task import Probe, Task, task_from_record
from webassay.errors import EnvironmentFault, TaskError, WebassayError
from webassay.sites.site import Sites

SERVER = """
import http.server, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(sys.argv[2].encode())
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""


def environment(text: str = "Welcome", port: int = 0, command: list[str] | None = None) -> dict[str, Any]:
    site = {"url": "http://site.localhost", "ready_path": "/", "ready_text": "Welcome", "account": None}
    started = command or ["{python}", "-c", SERVER, "{port}", text]
    return {"name": "own", "database": "db", "port": port, "start_timeout": 3.0, "accounts": {}, "command": started,
            "cwd": "", "path": "", "reset": {"by": "copy"}, "sites": {"site": site}}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "db").write_bytes(b"seeded")
    return tmp_path / "data"


def test_anyones_server_is_started_reset_and_stopped(data: Path, tmp_path: Path) -> None:
    with Sites(environment(), data, tmp_path) as sites:
        assert sites.alive and sites.answers()
        sites.database.write_bytes(b"changed")
        sites.reset()
        assert sites.database.read_bytes() == b"seeded"
    assert not sites.alive


def test_a_site_that_shows_something_else_is_not_ready(data: Path, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="did not show its ready_text within 3 s"):
        Sites(environment("No products found"), data, tmp_path).__enter__()


def test_a_command_that_ends_is_told_with_its_last_words(data: Path, tmp_path: Path) -> None:
    command = ["{python}", "-c", "import sys; sys.exit('no licence')"]
    with pytest.raises(EnvironmentFault, match=r"did not start on port .*: no licence"):
        Sites(environment(command=command), data, tmp_path).__enter__()


class Impostor(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Welcome")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def test_another_process_on_the_port_is_not_taken_for_the_site(data: Path, tmp_path: Path) -> None:
    """Another run's copy would look just as ready, and its database would be changed."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Impostor) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(EnvironmentFault, match="in use"):
            Sites(environment(port=server.server_address[1]), data, tmp_path).__enter__()
        server.shutdown()


API = """
import http.server, json, pathlib, sys
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        state = pathlib.Path(sys.argv[2]).read_text()
        found = {"results": [{"title": "a", "tags": ["x"]}, {"title": state}]}
        body = found if self.path == "/api?page=1" else "Welcome"
        self.send_response(404 if self.path == "/none" else 200); self.end_headers()
        self.wfile.write(json.dumps(body).encode())
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""


def asking(**probe: Any) -> Task:
    return Task("t", "", ("site",), "template", (), probes={"orders": Probe(site="site", **probe)})


def test_a_site_is_asked_by_its_own_interface(data: Path, tmp_path: Path) -> None:
    (tmp_path / "api.py").write_text(API)
    command = ["{python}", str(tmp_path / "api.py"), "{port}", "{database}"]
    task = asking(path="/api?page=1", rows="$.results[*]", columns=("$.title", "$.tags"))
    with Sites(environment(command=command), data, tmp_path) as sites:
        assert sites.probe(task) == {"orders": [["a", '["x"]'], ["seeded", None]]}
        sites.database.write_bytes(b"changed")
        assert sites.probe(task)["orders"][1] == ["changed", None]
        for path, message in (("/none", "with 404"), ("/api?page=1", "is no JSONPath")):
            with pytest.raises(WebassayError, match=message):
                sites.probe(asking(path=path, rows="$.[" if path != "/none" else "$"))


@pytest.mark.parametrize("probe", [{}, {"sql": "SELECT 1", "site": "a", "path": "/"}, {"path": "/"}, {"site": "a"}])
def test_a_probe_is_one_question(probe: dict[str, Any]) -> None:
    record = {
        "task_id": "t",
        "intent": "",
        "sites": ["a"],
        "intent_template_id": "x",
        "eval": [],
        "probes": {"p": probe},
    }
    with pytest.raises(TaskError, match="either sql, or site and path"):
        task_from_record(record, "tasks.jsonl")


def one_process_each(path: Path, **settings: Any) -> dict[str, Any]:
    made = environment(command=["{python}", "-c", SERVER, "{port}", "Welcome to {site}"])
    sites = {name: made["sites"]["site"] | {"url": f"http://{name}.localhost"} for name in ("one", "two")}
    return made | {"cwd": "{path}/{site}", "path": str(path), "reset": {"by": "restart"}, "sites": sites} | settings


def test_each_site_is_a_process_of_its_own_started_when_needed_and_anew_for_each_task(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with Sites(one_process_each(tmp_path), tmp_path, tmp_path) as sites:
        first, second = sites.process("one"), sites.process("two")
        assert first and second and set(sites.addresses.values()) == {first.port, second.port}
        sites.prepare(Task("t", "", ("one",), "template", ()))
        assert first.alive and not second.started and sites.answers(), "what was not needed is not missed"
        token, port = first.token, first.port
        sites.prepare(Task("t", "", ("one",), "template", ()))
        assert first.alive and first.token != token and first.port == port
        first.kill()
        assert not sites.alive
        with pytest.raises(EnvironmentFault, match=r"cannot be started, in .*two: No such file"):
            sites.prepare(Task("t", "", ("two",), "template", ()))


def test_a_database_that_is_none_is_a_fault_of_the_environment(data: Path, tmp_path: Path) -> None:
    with Sites(environment(), data, tmp_path) as sites:
        with pytest.raises(EnvironmentFault, match="probe 'rows': file is not a database"):
            sites.probe(Task("t", "", ("site",), "template", (), probes={"rows": Probe(sql="SELECT 1 FROM a")}))


def test_a_site_is_given_no_keys_but_those_that_it_is_to_have(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "AWS_ACCESS_KEY_ID", "SHOP_PASSWORD", "OWN_TOKEN", "PLAIN"):
        monkeypatch.setenv(name, f"value of {name}")
    monkeypatch.setenv("ODD", "sk-of-an-odd-name")
    told = "import json, os; open('told', 'w').write(json.dumps([*os.environ]))"
    program = f"{told}; {SERVER}"
    given = environment(command=["{python}", "-c", program, "{port}", "Welcome"]) | {"passes": ["OWN_TOKEN"]}
    given |= {"cwd": str(tmp_path)}
    with Sites(given, data, tmp_path, ["sk-of-an-odd-name"]) as sites:
        names = json.loads((tmp_path / "told").read_text())
        assert {"OWN_TOKEN", "PLAIN", "PATH", "WEBASSAY_SITE_TOKEN"} <= set(names)
        assert not {"OPENAI_API_KEY", "AWS_ACCESS_KEY_ID", "SHOP_PASSWORD", "ODD"} & set(names)
        assert set(names) - {"LC_CTYPE", "WEBASSAY_SITE_TOKEN"} <= sites.variables.keys()  # of a reset's command too


def test_what_a_site_writes_beside_itself_is_gone_with_it(data: Path, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "page").write_text("Welcome")
    program = f"open('seen', 'a').write('x'); assert open('seen').read() == 'x'; open('page').read(); {SERVER}"
    given = environment(command=["{python}", "-c", program, "{port}", "Welcome"])
    given |= {"cwd": str(tmp_path / "app"), "private_cwd": True, "reset": {"by": "restart"}}
    with Sites(given, data, tmp_path) as sites:
        sites.reset()
        assert sites.answers()
    assert [path.name for path in (tmp_path / "app").iterdir()] == ["page"]
