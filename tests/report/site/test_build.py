"""What is written when: the same bytes twice, and only what changed."""

import shutil
from pathlib import Path

import msgspec
import pytest

from tests.report.latex import check
from tests.report.site import made
from webassay.config.paths import ExperimentPlan
from webassay.core.files import write_json
from webassay.report.site.files import environment


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentPlan:
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    made.make(plan, made.TASKS, made.SAID)
    return plan


def test_a_second_build_touches_nothing_and_a_new_verdict_one_page(alone: ExperimentPlan) -> None:
    made.report(alone)
    before = tree(alone.folder / "report")
    made.report(alone)
    assert tree(alone.folder / "report") == before
    folder = next(iter(alone.by_run.values())).folder / "traj" / "alpha-1"
    shutil.rmtree(folder)
    made.write_trajectory(folder, made.TASKS[0], "fail")
    for plan in alone.runs:
        made.judge(plan, made.TASKS)
    made.report(alone)
    after = tree(alone.folder / "report")
    changed = {name for name in after if after[name][0] != before[name][0]}
    slug = next(name.split("/")[1] for name in after if name.startswith("t/oracle"))
    assert changed == {"index.html", "data.js", f"t/{slug}/facts.json", f"t/{slug}/alpha-1.js"}


def test_elsewhere_the_same_bytes(alone: ExperimentPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made.report(alone)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "results", elsewhere / "results")
    monkeypatch.chdir(elsewhere)
    shutil.rmtree(alone.folder)
    made.report(alone)
    own, other = tree(tmp_path / alone.folder), tree(alone.folder)
    assert {name: content for name, (_, content) in own.items()} == {
        name: content for name, (_, content) in other.items()
    }


def test_all_tables_are_there_in_three_forms_and_compile(alone: ExperimentPlan) -> None:
    numbers = made.report(alone)
    assert alone.sheets == [
        *["summary", "judges", "ensembles", "comparison"],
        *["sites", "templates", "judge_pairs", "failures", "usage"],
    ]
    names = {path.name for path in (alone.folder / "tables").iterdir()}
    assert names == {f"{sheet}.{form}" for sheet in alone.sheets for form in ("csv", "md", "tex")}
    check(alone.folder / "report.tex")
    pairs = numbers.sheets["judge_pairs"].data.iloc[0]
    kinds = ["judged", "both_pass", "only_first", "only_second", "both_fail", "no_verdict"]
    assert pairs[kinds].tolist() == [8, 5, 1, 0, 2, 2]
    usage = numbers.sheets["usage"].data.set_index("run")
    assert usage.loc["oracle", ["attempts", "counted", "calls", "input", "output"]].tolist() == [5, 5, 10, 500, 35]


def test_a_run_that_is_gone_or_half_written_is_told(alone: ExperimentPlan) -> None:
    oracle, naive = alone.by_run.values()
    shutil.rmtree(oracle.folder / "traj")
    (naive.folder / "traj" / "alpha-1" / "naive.tmp").touch()
    (naive.folder / "traj" / "alpha-2" / "web_surfer.log").write_bytes(b'{"action": "click"}\nbroken\n')
    (naive.folder / "traj" / "beta-1" / "screenshot_1.png").write_bytes(b"no picture")
    (naive.folder / "traj" / "beta-2" / "network.har").write_bytes(b"{")
    made.report(alone)
    site = alone.folder / "report"
    assert "has not begun yet" in next(site.glob("t/oracle-*/alpha-1.js")).read_text()
    assert "line 2" in next(site.glob("t/naive_na-*/alpha-2.js")).read_text()
    assert 'ok\\":false' in next(site.glob("t/naive_na-*/beta-1.js")).read_text()
    assert "network.har cannot be read" in next(site.glob("t/naive_na-*/beta-2.js")).read_text()


def test_each_judge_has_a_mark_of_its_own() -> None:
    """Up to 25, by shape and colour."""
    drawn = environment().get_template("plot.html").module
    assert len({drawn.mark(number, 0, 0, False) for number in range(25)}) == 25  # type: ignore[attr-defined]


def test_a_page_is_small_whatever_its_evidence(alone: ExperimentPlan) -> None:
    """A log of 50 MB, a state of 40 MB: shortened on the page, which says so and leads to the whole."""
    oracle = next(iter(alone.by_run.values()))
    folder = oracle.folder / "traj" / "alpha-1"
    event = {"source": "WebSurfer", "action": "click", "url": "u", "arguments": {"action": "click", "text": "x" * 4000}}
    lines = msgspec.json.encode(event | {"arguments": event["arguments"] | {"thoughts": "y" * 4000}}) + b"\n"
    (folder / "web_surfer.log").write_bytes(lines * 6200)
    rows = [["z" * 2000]] * 10_000
    write_json(folder / "state.json", {"before": {"rows": rows}, "after": {"rows": rows}, "changes": None})
    made.report(alone)
    (page,) = (alone.folder / "report").glob("t/oracle-*/alpha-1.js")
    text = page.read_text()
    assert len(text) < 5_000_000
    assert "1200 more steps are in web_surfer.log" in text and "cut short on this page" in text
    assert '\\"more\\":19600' in text


def test_the_index_is_small_beside_its_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    tasks = [
        made.a_task(f"t{number // 4}-{number % 4}", intent="A sentence of some length. " * 6) for number in range(300)
    ]
    made.make(plan, tasks, {name: {task.task_id: "fail" for task in tasks[:20]} for name in made.SAID}, steps=2)
    made.report(plan)
    site = plan.folder / "report"
    beside = [site / "data.js", *site.glob("*.html"), *site.glob("t/*/facts.json"), *site.glob("t/*/_tasks.js")]
    assert sum(path.stat().st_size for path in beside) / (2 * len(tasks)) < 1024
