"""Whatever agents, pages, models and file names say is shown, and never run."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from tests.report.site import made
from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan
from webassay.core.files import read_json, write_json, write_text
from webassay.core.task import Task

EVIL = "</script><img src=x onerror=window.pwned=1><script>window.pwned=1</script>{{7*7}}\u2028`${window.pwned=1}`"
TASK = made.a_task("evil-1", intent=EVIL, intent_template_id=EVIL, sites=(EVIL,), difficulty=EVIL)


def poisoned(value: Any) -> Any:
    """Every text is hostile, numbers and shapes stay."""
    if isinstance(value, str):
        return EVIL
    if isinstance(value, dict):
        return {key: poisoned(each) for key, each in value.items()} | {"__proto__": {"pwned": 1}, EVIL: EVIL}
    return [poisoned(each) for each in value] if isinstance(value, list) else value


def poison(folder: Path, eval_hash: str) -> None:
    log = [msgspec.json.decode(line) for line in (folder / "web_surfer.log").read_bytes().splitlines()]
    for event in log:
        event |= {"action": EVIL, "url": EVIL, "message": EVIL, "arguments": poisoned(event["arguments"])}
    write_text(folder / "web_surfer.log", "".join(msgspec.json.encode(event).decode() + "\n" for event in log))
    har = read_json(folder / "network.har")
    for entry in har["log"]["entries"]:
        entry["request"] |= {"url": EVIL, "method": EVIL, "postData": {"text": EVIL}}
        entry["_resourceType"] = EVIL
    write_json(folder / "network.har", har)
    change = {"table": EVIL, "op": "insert", "key": EVIL, "before": None, "after": {"__proto__": EVIL, EVIL: EVIL}}
    write_json(folder / "state.json", {"before": {EVIL: [[EVIL]]}, "after": {EVIL: [[EVIL]]}, "changes": [change]})
    (folder / "x onerror=window.pwned=1 '\"<img>.txt").write_text(EVIL)
    attempt = folder / "attempts" / "0"
    attempt.mkdir(parents=True)
    write_json(
        attempt / "attempt.json",
        {"task_id": EVIL, "task_digest": EVIL, "attempt": 0, "outcome": "aborted", "reason": EVIL},
    )
    sidecar = read_json(folder / "scores" / f"{eval_hash}.meta.json")
    for check in sidecar["assertions"]:
        check |= {
            "name": EVIL,
            "reason": EVIL,
            "expected": poisoned({"a": "b"}),
            "actual": EVIL,
            "evidence": f"network.har#1{EVIL}",
        }
    sidecar["judgement"]["reason"] = sidecar["version"] = EVIL
    sidecar["judge"] = poisoned({"name": "x"})
    write_json(folder / "scores" / f"{eval_hash}.meta.json", sidecar)
    items = [{"criterion": EVIL, "max_points": EVIL, "post_image_justification": EVIL, "__proto__": EVIL}]
    payload = msgspec.json.encode({"rubric_items": items, EVIL: EVIL}).decode()
    write_json(folder / "scores" / f"{eval_hash}.json", {"score": 0, "gpt_response_text": payload})


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentPlan:
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    made.make(plan, [TASK], {name: {"evil-1": "fail"} for name in made.SAID})
    for each in plan.runs:
        poison_once(each.folder / "traj" / "evil-1", each.eval_hash)
        text = each.scores.read_text()
        each.scores.write_text(text.replace("said fail", EVIL.replace('"', '""').replace(",", ";")))
    made.report(plan)
    return plan


def poison_once(folder: Path, eval_hash: str) -> None:
    if not (folder / "attempts").is_dir():
        poison(folder, eval_hash)


def test_hostile_texts_in_every_field_run_nothing(hostile: ExperimentPlan, chromium: Browser) -> None:
    site = hostile.folder / "report"
    pages = [site / name for name in ("index.html", "tasks.html", "compare.html")]
    visits = [(path, "") for path in pages] + [(site / "tasks.html", f"#q={EVIL}&site={EVIL}&state={EVIL}")]
    tabs = ("step", "network", "state", "verdicts", "attempts", "files")
    visits += [(path, f"#step=2&tab={tab}&event={EVIL}") for path in site.glob("t/*/*.html") for tab in tabs]
    with made.reader(chromium) as reader:
        for path, fragment in visits:
            page = reader.open(path, fragment)
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            page.wait_for_timeout(30)
            assert page.evaluate("window.pwned === undefined && ({}).pwned === undefined"), (path, fragment)
            assert page.locator("script:not([src])").count() == 0
            page.close()
        assert reader.troubles == []


def test_what_is_hostile_is_shown_as_it_is(hostile: ExperimentPlan, chromium: Browser) -> None:
    (path,) = (hostile.folder / "report").glob("t/naive_na-*/*.html")
    with made.reader(chromium) as reader:
        page = reader.open(path)
        assert page.locator("h1").evaluate("one => one.textContent") == EVIL


def test_a_task_of_a_thousand_steps_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Browser) -> None:
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    task: Task = made.a_task("long-1")
    made.make(plan, [task], {name: {"long-1": "pass"} for name in made.SAID}, steps=1000)
    made.report(plan)
    with made.reader(chromium) as reader:
        page = reader.open(next((plan.folder / "report").glob("t/oracle-*/long-1.html")), "#step=700")
        assert page.locator("#where").inner_text() == "700 / 1000"
        assert reader.troubles == []


NAMES = ["tasks", "facts", "index"]


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExperimentPlan:
    """What names and files may be, though hardly anybody would call them so."""
    monkeypatch.chdir(tmp_path)
    name = "../openai/gpt-4o #1? %41"
    plan = plan_experiment("single", ["system=oracle", f"system.name='{name}'", "judge.name=first"])
    tasks = [made.a_task(each) for each in NAMES]
    made.make(plan, tasks, {name: dict.fromkeys(NAMES, "fail")})
    (run,) = plan.runs
    home = run.folder / "traj"
    for end in ("html", "svg", "xml", "", "json", "log", "har", "txt"):
        (home / "index" / f"raw.{end}").write_text(f"<script>{PWN}</script><svg onload='{PWN}'>")
    (home / "facts" / os.fsdecode(b"caf\xe9 #1.txt")).write_text("x")
    record = {"score": 0, "gpt_response_text": json.dumps({"rubric_items": [{"criterion": "half of \ud83d it"}]})}
    (home / "tasks" / "scores" / f"{run.eval_hash}.json").write_text(json.dumps(record))
    made.report(plan)
    return plan


PWN = "document.title=`PWNED`"


def test_any_name_and_any_file_is_shown_and_led_to(odd: ExperimentPlan, chromium: Browser) -> None:
    site = odd.folder / "report"
    with made.reader(chromium) as reader:
        page = reader.open(site / "tasks.html")
        for name in NAMES:
            page.get_by_role("link", name=f"{name}, ").click()
            page.get_by_role("heading", name=f"Do {name}").wait_for()
            page.go_back()
        (path,) = site.glob("t/*/facts.html")
        page = reader.open(path, "#tab=files")
        assert page.get_by_role("link", name="caf? #1.txt").count() == 1
        assert all(map(Path.exists, made.linked(page)))
        page = reader.open(path.with_name("tasks.html"), "#tab=verdicts")
        assert "half of ? it" in page.locator("#panel").inner_text()
        assert reader.troubles == []
    assert site.resolve() in path.resolve().parents


def test_no_raw_file_runs_as_a_page(odd: ExperimentPlan, chromium: Browser) -> None:
    (path,) = (odd.folder / "report").glob("t/*/index.html")
    with made.reader(chromium) as reader:
        page = reader.open(path, "#tab=files")
        assert "raw.html" in page.locator("#panel").inner_text()
        raw = [file for file in made.linked(page) if file.name.startswith("raw")]
        assert {file.suffix for file in raw} == {".json", ".log", ".har", ".txt"}
        for file in raw:
            assert "PWNED" not in reader.open_or_save(file)


def test_a_file_that_nobody_foresaw_costs_one_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Browser
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = made.planned()
    made.make(plan, made.TASKS[:2], made.SAID)
    for run in plan.by_run.values():
        (run.folder / "traj" / "alpha-1" / "state.json").write_text('{"before": {}, "after": {}, "changes": [1e999]}')
        (run.folder / "traj" / "alpha-1" / "attempts").mkdir()
        (run.folder / "traj" / "alpha-1" / "attempts" / "²").mkdir()  # a digit that is no number
    made.report(plan)
    with made.reader(chromium) as reader:
        page = reader.open(next((plan.folder / "report").glob("t/oracle-*/alpha-1.html")))
        assert page.get_by_role("heading", name="Do alpha-1").is_visible()
        assert reader.open(plan.folder / "report" / "tasks.html").locator("#matrix tbody tr").count() == 2
