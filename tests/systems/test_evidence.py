"""Through the real browser, under the judge `verified`: who was not there, was somebody else or did otherwise, fails.

Each agent here ends with the right answer; what it lacks is the deed, and the verdict must say which.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Error, sync_playwright

from tests.systems.test_runner import Scripted, data, elsewhere  # noqa: F401  (fixtures)
from webassay.benchmarks.selection import load_tasks
from webassay.config.experiment import plan_experiment
from webassay.core.task import Task
from webassay.core.trajectory import Trajectory
from webassay.core.verdict import Verdict
from webassay.judges.verified import Verified
from webassay.sites.site import Sites
from webassay.systems.browser import find_browser, launch
from webassay.systems.oracle import Oracle
from webassay.systems.runner import Surroundings, run_attempt
from webassay.systems.session import Session

EMMA = "emma.lopez@example.com"
Solve = Callable[[Task, Session], str]


class Court:
    """One browser and one site for all tests: each attempt begins with a reset."""

    def __init__(self, config: dict[str, Any], tasks: list[Task], browser: Any, path: Path, sites: Sites) -> None:
        self.config, self.browser, self.path, self.sites = config, browser, path, sites
        self.tasks = {task.task_id: task for task in tasks}

    def judged(self, task_id: str, solve: Solve, folder: Path) -> Verdict:
        around = Surroundings(Scripted(solve), self.config["system"], self.browser, self.path, self.sites)
        ending = run_attempt(self.tasks[task_id], 0, folder, around)
        assert ending.outcome == "answered", ending
        return Verified().judge(self.tasks[task_id], Trajectory.from_folder(folder))

    def answer(self, task_id: str) -> str:
        """The right one, whatever was done for it."""
        return json.dumps(self.tasks[task_id].eval[0]["expected"])


@pytest.fixture(scope="module")
def court(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Court]:  # noqa: F811
    config = plan_experiment("single", "system=oracle").runs[0].config
    path, scratch = find_browser(), tmp_path_factory.mktemp("site")
    with sync_playwright() as playwright, Sites(config["environment"], data, scratch) as sites:
        with launch(playwright, path, sites.addresses) as browser:
            yield Court(config, load_tasks(config, data), browser, path, sites)


def oracle(task: Task, session: Session) -> str:
    return Oracle().solve(task, session)


def failed(verdict: Verdict) -> dict[str, str]:
    assert verdict.score == 0.0, verdict
    return {check.name: check.reason for check in verdict.assertions if not check.passed}


def execute(session: Session, sql: str, *params: Any) -> None:
    """What is done to the site behind the agent's back, or by others."""
    with closing(sqlite3.connect(session.sites.database, timeout=10)) as database:
        database.execute(sql, params)
        database.commit()


@pytest.mark.parametrize("task_id", ["shop-price-1", "shop-review-1", "shop-address-1"])
def test_whoever_does_it_passes(court: Court, tmp_path: Path, task_id: str) -> None:
    verdict = court.judged(task_id, oracle, tmp_path / "attempt")
    assert verdict.score == 1.0, verdict.reason


def test_an_anonymous_session(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.context.clear_cookies()
        return oracle(task, session)

    reasons = failed(court.judged("shop-price-1", solve, tmp_path / "attempt"))
    assert list(reasons) == ["session.shop"] and "session cookie 'sessionid'" in reasons["session.shop"]


def test_an_expired_session(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        execute(session, "UPDATE django_session SET expire_date = '2000-01-01 00:00:00'")
        return oracle(task, session)

    reasons = failed(court.judged("shop-price-1", solve, tmp_path / "attempt"))
    assert list(reasons) == ["session.shop"] and "anonymous or expired" in reasons["session.shop"]


def test_a_session_of_another_user(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        execute(session, "UPDATE auth_user SET password = (SELECT password FROM auth_user WHERE email = ?)", EMMA)
        session.visit(session.url("shop", "/accounts/logout/"))
        session.visit(session.url("shop", "/accounts/login/"))
        session.type("#id_login-username", other)
        session.type("#id_login-password", "miniweb-customer")
        session.click("button[name=login_submit]")
        return oracle(task, session)

    with closing(sqlite3.connect(court.sites.template)) as database:
        query = "SELECT email FROM auth_user WHERE NOT is_staff AND email <> ? AND email <> '' ORDER BY id"
        (other,) = database.execute(query, [EMMA]).fetchone()
    reasons = failed(court.judged("shop-price-1", solve, tmp_path / "attempt"))
    assert reasons["session.shop"] == f"the session on shop is of {other}, expected {EMMA}"


def test_an_answer_from_memory_without_a_visit(court: Court, tmp_path: Path) -> None:
    reasons = failed(court.judged("shop-price-1", lambda *_: court.answer("shop-price-1"), tmp_path / "attempt"))
    assert "the trace is empty" in reasons["activity.shop"] and "session.shop" in reasons


def test_a_visit_to_a_site_beyond_the_task(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        with suppress(Error):  # the browser does not let it through
            session.page.goto("http://admin.localhost/dashboard/login/")
        return court.answer(task.task_id)

    reasons = failed(court.judged("shop-price-1", solve, tmp_path / "attempt"))
    assert "the trace has only admin.localhost" in reasons["activity.shop"]


def test_a_visit_to_another_site_of_the_task_only(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        session.visit(session.url("forum"))
        return court.answer(task.task_id)

    both = msgspec.structs.replace(court.tasks["shop-price-1"], task_id="both", sites=("shop", "forum"))
    court.tasks["both"] = both
    reasons = failed(court.judged("both", solve, tmp_path / "attempt"))
    assert list(reasons) == ["activity.shop", "session.shop"] and "forum.localhost" in reasons["activity.shop"]


def address_form(task: Task, session: Session) -> str:
    """Open the form of the task's address and return what it holds."""
    sent = next(one["expected"]["url"] for one in task.eval if one["evaluator"] == "NetworkEventEvaluator")
    session.visit(sent.replace("__SHOP__", session.url("shop", "")))
    return session.page.locator("#id_line1").input_value()


def test_a_mutation_undone_before_the_end(court: Court, tmp_path: Path) -> None:
    whole = court.tasks["shop-address-1"]

    def solve(task: Task, session: Session) -> str:
        seeded = address_form(whole, session)
        done = oracle(task, session)
        assert address_form(whole, session) == task.instantiation_dict["value"]
        session.type("#id_line1", seeded)
        session.click("button:text-is('Save')")
        return done

    reasons = failed(court.judged("shop-address-1", solve, tmp_path / "attempt"))
    assert [name.split(".")[0] for name in reasons] == ["state"]
    assert all(name != "state.side_effects" for name in reasons)
    assert changes(tmp_path) == []


def test_a_redirect_without_effect(court: Court, tmp_path: Path) -> None:
    """The form sent as it is: answered like any that was filled in."""

    def solve(task: Task, session: Session) -> str:
        address_form(court.tasks[task.task_id], session)
        session.click("button:text-is('Save')")
        return court.answer(task.task_id)

    verdict = court.judged("shop-address-1", solve, tmp_path / "attempt")
    assert next(check.passed for check in verdict.assertions if check.name == "network.1")
    assert [name.split(".")[0] for name in failed(verdict)] == ["state"] and changes(tmp_path) == []


def test_a_mutation_of_the_wrong_row(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        with closing(sqlite3.connect(session.sites.database)) as database:
            query = (
                "SELECT line4 FROM address_useraddress a JOIN auth_user u ON u.id = a.user_id"
                " WHERE email = ? AND line4 <> ? ORDER BY a.id"
            )
            (city,) = database.execute(query, [EMMA, task.instantiation_dict["city"]]).fetchone()
        wrong = task.instantiation_dict | {"city": city}
        return oracle(msgspec.structs.replace(task, instantiation_dict=wrong), session)

    reasons = failed(court.judged("shop-address-1", solve, tmp_path / "attempt"))
    assert "no request POST __SHOP__/accounts/addresses/" in reasons["network.1"]
    assert [name for name in reasons if name.startswith("state.")]
    assert [change["table"] for change in changes(tmp_path)] == ["address_useraddress"]


def test_a_side_effect_besides_the_right_mutation(court: Court, tmp_path: Path) -> None:
    def solve(task: Task, session: Session) -> str:
        done = oracle(task, session)
        session.visit(session.url("shop", "/catalogue/"))
        session.click("article.product_pod button >> nth=0", "Put something into the basket")
        return done

    reasons = failed(court.judged("shop-address-1", solve, tmp_path / "attempt"))
    assert list(reasons) == ["state.side_effects"] and "insert basket_line[" in reasons["state.side_effects"]


def changes(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "attempt" / "state.json").read_text())["changes"]
    return found
