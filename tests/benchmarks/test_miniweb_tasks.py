"""The tasks of the site in the box, made from a real build."""

import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from webassay.benchmarks.miniweb import load
from webassay.core.task import Task, task_from_record
from webassay.errors import TaskError

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "webassay.sites.miniweb", "build", "--out", out], cwd=SCRIPTS, check=True)
    return out


@pytest.fixture(scope="module")
def tasks(built: Path) -> list[Task]:
    return load(built)


def expected(task: Task, evaluator: str) -> list[dict]:
    return [entry for entry in task.eval if entry["evaluator"] == evaluator]


def test_every_template_has_its_tasks_and_ids_are_unique(tasks: list[Task]) -> None:
    assert len({task.task_id for task in tasks}) == len(tasks)
    assert Counter(task.template for task in tasks) == {
        "shop-price": 3,
        "admin-order-total": 3,
        "shop-category": 2,
        "shop-review": 2,
        "shop-address": 2,
        "shop-missing": 2,
    }


def test_before_is_what_the_probes_return_on_the_fresh_database(built: Path, tasks: list[Task]) -> None:
    database = sqlite3.connect(f"{(built / 'site.sqlite3').as_uri()}?mode=ro", uri=True)
    for task in tasks:
        states = {entry["probe"]: entry["before"] for entry in expected(task, "StateEvaluator")}
        assert states.keys() == task.probes.keys()
        for name, probe in task.probes.items():
            assert [list(row) for row in database.execute(probe.sql, probe.params)] == states[name]
    database.close()


def test_only_tasks_that_write_expect_another_state(tasks: list[Task]) -> None:
    changed = {
        task.template: [e["probe"] for e in expected(task, "StateEvaluator") if e["before"] != e["after"]]
        for task in tasks
    }
    assert changed.pop("shop-review") == ["reviews"]
    assert changed.pop("shop-address") == ["addresses"]
    assert not any(changed.values())


def test_a_review_adds_one_row_and_an_address_changes_one_value(tasks: list[Task]) -> None:
    for task in tasks:
        for entry in expected(task, "StateEvaluator"):
            added = [row for row in entry["after"] if row not in entry["before"]]
            gone = [row for row in entry["before"] if row not in entry["after"]]
            if task.template == "shop-review" and entry["probe"] == "reviews":
                assert (len(added), len(gone)) == (1, 0)
            elif task.template == "shop-address" and entry["probe"] == "addresses":
                assert [a != b for a, b in zip(added[0], gone[0], strict=True)].count(True) == 1
            else:
                assert (added, gone) == ([], [])


def test_answers_are_one_amount_and_no_two_tasks_share_it(tasks: list[Task]) -> None:
    answers = [
        entry["expected"]["retrieved_data"]
        for task in tasks
        if task.template in ("shop-price", "admin-order-total")
        for entry in expected(task, "AgentResponseEvaluator")
    ]
    assert all(isinstance(answer[0], float) and len(answer) == 1 for answer in answers)
    assert len({answer[0] for answer in answers}) == 6


def test_a_wrong_row_shows_in_a_probe(built: Path, tasks: list[Task], tmp_path: Path) -> None:
    """Each of these is a slip an agent could make; some probe must see it."""
    slips = [
        "DELETE FROM reviews_productreview WHERE id = 3",
        "UPDATE reviews_productreview SET score = 6 - score WHERE id = 5 AND score <> 3",
        "UPDATE address_useraddress SET is_default_for_billing = 1 WHERE id = 2",
        "UPDATE address_useraddress SET line2 = 'x' WHERE id = 1",
        "UPDATE order_order SET status = 'Cancelled' WHERE number = (SELECT max(number) FROM order_order)",
        "UPDATE partner_stockrecord SET price = price + 1 WHERE id = 9",
        "DELETE FROM order_order WHERE id = 4",
        "UPDATE auth_user SET first_name = 'Emmy' || first_name WHERE id = 2",
    ]
    for slip in slips:
        copy = tmp_path / "copy.sqlite3"
        copy.write_bytes((built / "site.sqlite3").read_bytes())
        with sqlite3.connect(copy) as database:
            assert database.execute(slip).rowcount == 1, slip
            seen = [
                [list(row) for row in database.execute(probe.sql, probe.params)] for probe in tasks[0].probes.values()
            ]
        database.close()
        assert seen != [entry["before"] for entry in expected(tasks[0], "StateEvaluator")], slip


def test_tasks_survive_json(tasks: list[Task]) -> None:
    for task in tasks:
        record = msgspec.json.decode(msgspec.json.encode(task))
        assert task_from_record(record, "memory").digest == task.digest


def test_a_missing_or_foreign_database_is_named(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"site\.sqlite3: no such database"):
        load(tmp_path)
    (tmp_path / "site.sqlite3").write_bytes(b"no database at all" * 99)
    with pytest.raises(TaskError, match="not a miniweb database"):
        load(tmp_path)
