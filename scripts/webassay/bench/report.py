"""What the report costs: its pages beside reading what they show, and how long a browser takes to open it."""

import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from webassay.bench.table import Row, compared
from webassay.bench.workflow import Workplace
from webassay.config.paths import ExperimentPlan
from webassay.report.site.build import build_site
from webassay.report.site.pages import runs_of, write_pages
from webassay.report.tables import experiment_scores
from webassay.systems.browser import find_browser

GOAL_PAGES, GOAL_GROWTH = 2.0, 1.0
OPENINGS = 5
FILTER = """() => {
    const began = performance.now();
    document.querySelector('[name=state]').value = 'failed';
    document.getElementById('filters').dispatchEvent(new Event('input'));
    document.body.offsetHeight;
    return performance.now() - began;
}"""


def pages_row(folder: Path, limit: int | None, passes: int) -> Row:
    """Of real runs: those of the oracle that are already there, judged."""
    place = Workplace(folder, f"system=oracle benchmark.select.limit={'null' if limit is None else limit}")
    place.run()
    plan = place.plan()
    with contextlib.chdir(folder):
        count = sum(1 for run in plan.by_run.values() for _ in (run.folder / "traj").iterdir())
        work, read = (lambda: _write(plan)), (lambda: _read(plan))
        pairs = [(1000 * _cpu(work) / count, 1000 * _cpu(read) / count) for _ in range(passes)]
    what = f"report: pages of {count} real trajectories / json.loads of the files that they show; CPU a trajectory"
    return compared(what, "ms", pairs, GOAL_PAGES)


def _write(plan: ExperimentPlan) -> None:
    site = Path("site")
    shutil.rmtree(site, ignore_errors=True)
    runs = runs_of(plan)
    for run in runs:
        write_pages(run, runs, site)


def _read(plan: ExperimentPlan) -> None:
    for run in plan.by_run.values():
        for path in (run.folder / "traj").rglob("*"):
            if path.suffix in (".json", ".har"):
                json.loads(path.read_bytes())
            elif path.name == "web_surfer.log":
                for line in path.read_bytes().splitlines():
                    json.loads(line)


def _cpu(work: Callable[[], None]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def opening_rows(place: Workplace, tasks: int, runs: int) -> Iterator[Row]:
    """The matrix of all tasks, and that of a tenth of them, from `file://`; ten times the tasks may take ten times."""
    plan = place.plan()
    with contextlib.chdir(place.folder):
        scores = experiment_scores(plan)
        whole = Path("report").resolve()
        build_site(plan, scores, whole, {})
        tenth = _tenth(whole)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), chromium_sandbox=False)
            page = browser.new_page()
            times = [(_opened(page, whole), _opened(page, tenth)) for _ in range(OPENINGS)]
            filtered = [(_filtered(page, whole), _filtered(page, tenth)) for _ in range(OPENINGS)]
            browser.close()
    few = max(tasks // 10, 1)
    growth = tasks / few
    what = f"report: matrix of {runs} × {tasks} tasks / of {runs} × {few}, {growth:g} times as many; wall until it {{}}"
    yield compared(what.format("can be used"), "ms", times, growth * GOAL_GROWTH)
    yield compared(what.format("is filtered"), "ms", filtered, growth * GOAL_GROWTH)


def _tenth(site: Path) -> Path:
    """The same site with the first tenth of its tasks."""
    small = site.with_name("report-small")
    small.mkdir()
    shutil.copytree(site / "assets", small / "assets")
    shutil.copy(site / "tasks.html", small)
    head, _, rest = (site / "data.js").read_text().partition("JSON.parse(")
    matrix = json.loads(json.loads(rest.removesuffix(");\n")))
    matrix["tasks"] = matrix["tasks"][: max(len(matrix["tasks"]) // 10, 1)]
    (small / "data.js").write_text(f"{head}JSON.parse({json.dumps(json.dumps(matrix))});\n")
    return small


def _opened(page: Page, site: Path) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    page.goto((site / "tasks.html").as_uri())
    page.locator("#count", has_text="tasks").wait_for()
    return 1000 * (time.perf_counter() - began)


def _filtered(page: Page, site: Path) -> float:
    page.goto((site / "tasks.html").as_uri())
    return median(float(page.evaluate(FILTER)) for _ in range(3))
