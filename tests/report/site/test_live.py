"""`webassay view`: the same pages while a run goes on, to this machine alone."""

import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.report.site import made
from webassay.config.experiment import note_start
from webassay.config.paths import ExperimentPlan
from webassay.report.site.server import serve


@pytest.fixture
def going(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentPlan:
    """Two of the tasks are judged, the others wait."""
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    said = {
        name: {task: words for task, words in given.items() if task.startswith("alpha")}
        for name, given in made.SAID.items()
    }
    made.make(plan, made.TASKS, said)
    for each in plan.runs:
        each.scores.unlink()
    note_start(made.GIVEN, plan)
    return plan


@pytest.fixture
def address(going: ExperimentPlan) -> Iterator[str]:
    command = [sys.executable, "-m", "webassay.cli", "view", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found[0]
        process.kill()


def test_pages_follow_the_run(going: ExperimentPlan, address: str, chromium: Browser) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.set_viewport_size({"width": 280, "height": 300})
    page.goto(address)
    links = page.eval_on_selector_all("a[href]", "all => all.map(one => one.href.split('#')[0])")
    assert links and {link for link in links if page.request.get(link).status != 200} == set()
    page.goto(address.replace("index.html", "tasks.html") + "#state=waiting")
    assert page.locator("#count").inner_text() == "3 of 5 tasks, 6 attempts"
    page.get_by_label("Text").fill("a")
    page.wait_for_url("**q=a")
    page.locator(".sticky").evaluate("box => { box.scrollLeft = 20; scrollTo(0, 120); }")
    for plan in going.by_run.values():
        home = plan.folder / "traj" / "beta-1"
        made.write_trajectory(home, made.TASKS[2], "pass")
    for plan in going.runs:
        made.judge(plan, made.TASKS)
        plan.scores.unlink()
    expect(page.locator("#count")).to_have_text("2 of 5 tasks, 4 attempts", timeout=20_000)
    assert page.url.endswith("#state=waiting&q=a")
    place = "[document.activeElement.name, document.querySelector('.sticky').scrollLeft, scrollY]"
    assert page.evaluate(place) == ["q", 20, 120]
    context.close()


def test_it_serves_results_and_nothing_else(going: ExperimentPlan, address: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = next(iter(going.by_run.values())).folder / "traj" / "alpha-1"
    (folder / "page.html").write_text("<script>alert(1)</script>")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    base = address.partition("/.cache")[0]
    with httpx.Client(base_url=base, trust_env=False) as client:
        assert client.get(address).headers["content-type"] == "text/html"
        page = client.get(f"/{folder.relative_to('results')}/page.html")
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/plain")
        assert "sandbox" in page.headers["content-security-policy"]
        for path in (
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/runs/",
            "/llm/x",
            f"/{folder.relative_to('results')}/out.txt",
        ):
            assert client.get(path).status_code == 404, path
        assert client.get(address, headers={"Host": "evil.example:80"}).status_code == 421
        assert client.post(address).status_code == 501


def test_results_on_another_disk_are_served(going: ExperimentPlan, tmp_path: Path) -> None:
    (tmp_path / "results" / "runs").rename(tmp_path / "disk")
    (tmp_path / "results" / "runs").symlink_to(tmp_path / "disk")
    folder = next(iter(going.by_run.values())).folder / "traj" / "alpha-1"
    (folder / "out.txt").symlink_to("/etc/passwd")
    with serve(Path("results"), 0) as server, httpx.Client(trust_env=False) as client:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}/{folder.relative_to('results')}"
        assert client.get(f"{base}/screenshot_1.png").headers["content-type"] == "image/png"
        assert client.get(f"{base}/out.txt").status_code == 404
        server.shutdown()


AS_NOBODY = """
import os, sys
from webassay.cli import main
import webassay.report.site.live, webassay.report.analysis.view
if os.geteuid() == 0:
    os.setegid(65534), os.seteuid(65534)
sys.exit(main(sys.argv[1:]))
"""


def test_a_folder_that_may_not_be_written(going: ExperimentPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """`view` shows it all the same; what has to write says so in one line."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        for plan in going.runs:
            made.judge(plan, made.TASKS)
        made.report(going)
        shutil.copytree("results", Path(place, "results"))
        for path in (Path(place), *Path(place).rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        try:
            told = [
                subprocess.run([sys.executable, "-c", AS_NOBODY, *words], cwd=place, capture_output=True, text=True)
                for words in (["view", "--once", str(going.folder)], ["view", "--once"], ["analyze", "results/runs"])
            ]
        finally:
            for path in (Path(place), *Path(place).rglob("*")):
                path.chmod(0o755)
    for done in told[:2]:
        assert done.returncode == 0 and "may not be written: the pages are in" in done.stderr, done.stderr
        index = Path(done.stdout.strip())
        page = next(index.parent.glob("t/oracle-*/alpha-1.js"))
        assert "screenshot_1.png" in page.read_text()
        shutil.rmtree(index.parents[4])
    assert told[2].returncode == 2 and "Permission denied" in told[2].stderr and "Traceback" not in told[2].stderr


def test_without_anything_started_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    for folder, said in (("results", "no experiment was started here yet"), ("elsewhere", "not a results folder")):
        done = subprocess.run([sys.executable, "-m", "webassay.cli", "view", folder], capture_output=True, text=True)
        assert done.returncode == 2 and said in done.stderr


def test_an_ended_experiment_is_named_by_its_folder(going: ExperimentPlan) -> None:
    for plan in going.runs:
        made.judge(plan, made.TASKS)
    made.report(going)
    shutil.rmtree("results/.cache/started")
    command = [sys.executable, "-m", "webassay.cli", "view", "--once", str(going.folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and Path(done.stdout.strip()).is_file()
