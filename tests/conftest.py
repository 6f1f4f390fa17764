"""What tests share: a folder of one's own in which the real workflow runs."""

import json
import os
import re
import signal
import subprocess
import sys
import uuid
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import settings

from tests.built import give_miniweb

REPO = Path(__file__).resolve().parents[1]
MARK = "WEBASSAY_TEST_WORKSPACE"

settings.register_profile("webassay", deadline=None)  # machines are shared: a slow example is no fault
settings.load_profile("webassay")
signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, a shell has us and ours ignore it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, lest one worker is left with them at the end."""
    items.sort(key=lambda item: "workflow" not in item.path.parts)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test logged goes to another process, which takes no half of a surrogate pair."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "replace").decode()) for name, text in report.sections]
    return report


@dataclass(frozen=True)
class Done:
    """How a command ended; `jobs` is Snakemake's own count by rule."""

    status: int
    output: str

    @property
    def jobs(self) -> dict[str, int]:
        table = re.search(r"Job stats:\n.*?\n-+.*?\n(.*?)\ntotal", self.output, re.DOTALL)
        rows = [line.split() for line in table.group(1).splitlines()] if table else []
        return {name: int(count) for name, count in rows}

    @property
    def nothing_to_do(self) -> bool:
        return "Nothing to be done" in self.output


@dataclass(frozen=True)
class Workspace:
    """A folder with its own results; processes started for it carry its mark, so that orphans can be found."""

    folder: Path
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def start(self, *words: str, **settings: Any) -> "subprocess.Popen[str]":
        return subprocess.Popen(words, cwd=self.folder, text=True, env=os.environ | {MARK: self.mark}, **settings)

    def run(self, *words: str, timeout: float = 300) -> Done:
        process = self.start(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        output, _ = process.communicate(timeout=timeout)
        return Done(process.returncode, output)

    def snakemake(
        self, overrides: str = "", *words: str, experiment: str = "single", profile: str | None = "local"
    ) -> Done:
        return self.run(*snakemake_command(overrides, *words, experiment=experiment, profile=profile))

    def webassay(self, *words: str) -> Done:
        return self.run(sys.executable, "-m", "webassay.cli", *words)

    def attempts(self) -> dict[str, float]:
        """Every finished attempt ever made here, by the moment it began."""
        found = {}
        for path in self.folder.glob("results/runs/**/times.json"):
            task = json.loads((path.parent / "attempt.json").read_text())
            found[f"{task['task_id']}#{task['attempt']}#{path.parent}"] = json.loads(path.read_text())["start_time"]
        return found

    def starts(self) -> list[float]:
        return sorted(self.attempts().values())

    def judged(self) -> set[float]:
        """The moment of each judging whose verdict is on disk."""
        metas = self.folder.glob("results/runs/**/scores/*.meta.json")
        return {json.loads(path.read_text())["judged_at"] for path in metas}

    def scores(self, experiment: str = "single") -> list[Path]:
        return sorted(self.folder.glob(f"results/experiments/{experiment}-*/scores.csv"))

    def processes(self) -> list[psutil.Process]:
        """What still runs on behalf of this folder, whoever its parent is now."""
        alive = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    alive.append(process)
            except psutil.Error:
                continue
        return alive


def snakemake_command(
    overrides: str = "", *words: str, experiment: str = "single", profile: str | None = "local"
) -> list[str]:
    settings = ["--profile", str(REPO / "config" / "profiles" / profile)] if profile else []
    chosen = ["--config", f"experiment={experiment}", f"overrides={overrides}"]
    snakemake = [sys.executable, "-m", "snakemake", "-s", str(REPO / "Snakefile"), "--cores", "2"]
    return [*snakemake, *words, *settings, *chosen]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(give_miniweb(tmp_path))


@pytest.fixture(scope="module")
def shared_workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """For tests of one file that build on each other's results."""
    return Workspace(give_miniweb(tmp_path_factory.mktemp("workspace")))


@pytest.fixture(scope="session")
def wav_records() -> list[dict[str, Any]]:
    """WebArena Verified's 812 tasks as they stand in its wheel, which is never part of this repository."""
    from tests.released import released

    records: list[dict[str, Any]] = json.loads((released() / "webarena-verified.json").read_text())
    return records
