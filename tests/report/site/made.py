"""An experiment on disk without a browser: real trajectory folders, judged by the life cycle's own rules."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
import yaml
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from webassay.config.experiment import plan_experiment
from webassay.config.paths import ExperimentPlan, RunPlan
from webassay.core.files import write_json, write_jsonl, write_text
from webassay.core.task import Task
from webassay.core.trajectory import NO_ANSWER, Attempt, FinalAnswer, Trajectory, write_end
from webassay.core.verdict import Assertion, Verdict, verdict_of
from webassay.judges.lifecycle import Case, Court, judge_case
from webassay.report.experiment import Numbers
from webassay.report.site.build import build_site
from webassay.report.tables import join_scores, scores_csv, to_csv
from webassay.systems.browser import find_browser

OVERRIDES = ["system=oracle,naive_na", "judge.name=first,second"]
GIVEN = {"overrides": " ".join(OVERRIDES)}
START = datetime(2026, 3, 1, 9, 0, 0)
SIZE = (800, 600)
POINT = (500, 120)


@dataclass(frozen=True)
class Words:
    """A judge whose verdict is in the answer: `pass`, `fail`, or `abstain`; a `split` parts two judges."""

    name: str

    def judge(self, task: Task, trajectory: Trajectory) -> Verdict:
        said = trajectory.answer.final_answer
        if said == "abstain":
            return Verdict(None, "error", "refusal: it would not say", attribution="harness")
        passed = said == "pass" or (said == "split" and self.name == "first")
        return verdict_of(
            (
                Assertion("response", True, "pass", said),
                Assertion("network.0", passed, {"url": "/save"}, said, evidence="network.har#1", reason=f"said {said}"),
                Assertion(
                    "state.rows", passed, [[1]], [[1]], evidence=f"state.json#after.rows{'' if passed else '[0]'}"
                ),
            )
        )


def a_task(name: str, **fields: Any) -> Task:
    told = {"intent": f"Do {name}", "sites": ("shop",), "intent_template_id": name.split("-")[0], "eval": ()}
    return Task(task_id=name, **(told | fields))


TASKS = [
    a_task("alpha-1", difficulty="easy"),
    a_task("alpha-2", difficulty="hard", sites=("shop", "wiki")),
    a_task("beta-1", difficulty="easy", sites=("wiki",)),
    a_task("beta-2", difficulty="hard"),
    a_task("gamma-1"),
]
SAID = {
    "oracle": dict.fromkeys(["alpha-1", "alpha-2", "beta-1", "beta-2", "gamma-1"], "pass"),
    "naive_na": {"alpha-1": "fail", "alpha-2": "split", "beta-1": "abstain", "beta-2": NO_ANSWER, "gamma-1": "aborted"},
}


def write_trajectory(folder: Path, task: Task, said: str, steps: int = 3) -> None:
    """`steps` actions, a second apart, with a screenshot after each but the last, and a request during each."""
    folder.mkdir(parents=True)
    aborted = said == "aborted"
    frames = [f"screenshot_{number + 1}.png" for number in range(steps - 1)]
    for number, name in enumerate(frames):
        (folder / name).write_bytes(picture(number % 5))
    write_text(folder / "web_surfer.log", "".join(_line(number, steps, said) for number in range(steps)))
    write_json(folder / "network.har", {"log": {"entries": [_request(number) for number in range(steps)]}})
    change = {"table": "orders", "op": "update", "key": 7, "before": {"note": "old"}, "after": {"note": "new"}}
    write_json(folder / "state.json", {"before": {"rows": [[0]]}, "after": {"rows": [[1]]}, "changes": [change]})
    attempt = Attempt(
        task.task_id, task.execution_digest, 0, "answered", environments={"shop": {"urls": ["http://shop"]}}
    )
    if aborted:
        attempt = msgspec.structs.replace(attempt, outcome="aborted", reason="the site was unreachable")
    if said == NO_ANSWER:
        attempt = msgspec.structs.replace(attempt, outcome="over_budget", reason="more than 3 actions")
    usage = {"agent": {"prompt_tokens": 100, "completion_tokens": 7, "reasoning_tokens": 0, "num_calls": 2}}
    answer = FinalAnswer(
        NO_ANSWER if aborted else said, screenshots=tuple(frames), is_aborted=aborted, token_usage=usage
    )
    write_end(folder, answer, attempt, 1000.0, 1003.5)


@cache
def picture(shade: int) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", SIZE, (200, 220, 200 + 10 * shade)).save(stream, "png")
    return stream.getvalue()


def _line(number: int, steps: int, said: str) -> str:
    last = number == steps - 1
    action = "terminate" if last else ["visit_url", "left_click"][number % 2]
    arguments: dict[str, Any] = {"action": action, "thoughts": f"thought {number + 1}"}
    arguments |= {"answer": said} if last else {"coordinate": list(POINT)}
    stamp = (START + timedelta(seconds=number)).isoformat(timespec="microseconds")
    event = {"timestamp": stamp, "source": "WebSurfer", "message": action, "url": "http://shop/", "action": action}
    return msgspec.json.encode(event | {"arguments": arguments}).decode() + "\n"


def _request(number: int) -> dict[str, Any]:
    started = (START + timedelta(seconds=number, milliseconds=400)).replace(tzinfo=UTC).isoformat()
    request = {"method": "POST" if number == 1 else "GET", "url": f"http://shop/page/{number}", "headers": []}
    answer = {"status": 200, "headers": [], "content": {"size": 5, "mimeType": "text/html", "text": "hello"}}
    return {"startedDateTime": started, "time": 12.0, "request": request, "response": answer}


def make(experiment: ExperimentPlan, tasks: list[Task], said: dict[str, dict[str, str]], steps: int = 3) -> None:
    """All runs as execution leaves them, then judged."""
    for plan in experiment.by_run.values():
        write_jsonl(plan.folder / "tasks.jsonl", tasks)
        for task in tasks:
            if task.task_id in said[plan.columns["system"]]:
                home = plan.folder / "traj" / task.task_id
                write_trajectory(home, task, said[plan.columns["system"]][task.task_id], steps)
    for plan in experiment.runs:
        judge(plan, tasks)


def judge(plan: RunPlan, tasks: list[Task]) -> None:
    court = Court(Words(plan.columns["judge"]), plan.eval_hash, {"name": plan.columns["judge"]})
    homes = {task.task_id: plan.folder / "traj" / task.task_id for task in tasks}
    cases = [Case(task, homes[task.task_id], homes[task.task_id] / "scores") for task in tasks]
    judged = [judge_case(case, court)[0] for case in cases]
    write_text(plan.scores, scores_csv(plan, judged))


def report(experiment: ExperimentPlan) -> Numbers:
    """What the rule does."""
    scores = join_scores(plan.scores for plan in experiment.runs)
    write_text(experiment.folder / "scores.csv", to_csv(scores))
    write_text(experiment.folder / "experiment.yaml", yaml.safe_dump(experiment.described(GIVEN)))
    numbers = build_site(experiment, scores, experiment.folder / "report", GIVEN)
    numbers.write()
    return numbers


def planned() -> ExperimentPlan:
    return plan_experiment("single", OVERRIDES)


@dataclass(frozen=True)
class Reader:
    """A browser that is offline; what it complains of or asks for elsewhere is kept."""

    context: BrowserContext
    troubles: list[str]

    def open(self, path: Path, fragment: str = "") -> Page:
        page = self.context.new_page()
        page.on("console", lambda message: self.troubles.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self._look(request.url))
        page.goto(f"{path.resolve().as_uri()}{fragment}")
        return page

    def open_or_save(self, path: Path) -> str:
        """The title of the page that a raw file makes; empty where the browser saves it."""
        page = self.context.new_page()
        try:
            page.goto(path.resolve().as_uri())
        except Error as error:
            assert "Download is starting" in str(error)
            return ""
        page.wait_for_timeout(30)
        return page.title()

    def _look(self, url: str) -> None:
        if not url.startswith(("file:", "data:")):
            self.troubles.append(f"asked for {url}")


def linked(page: Page) -> set[Path]:
    """The files that a page leads to."""
    targets = page.eval_on_selector_all("a[href]", "all => all.map(one => one.href)")
    return {Path(os.fsdecode(unquote_to_bytes(urlsplit(target).path))) for target in targets if target[:5] == "file:"}


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=find_browser(), chromium_sandbox=False)


@contextmanager
def reader(chromium: Browser, **settings: Any) -> Iterator[Reader]:
    context = chromium.new_context(**({"offline": True, "viewport": {"width": 1280, "height": 800}} | settings))
    yield Reader(context, [])
    context.close()
