"""The tasks of the sites in the box, made from a real build."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.built import miniweb
from webassay.benchmarks.miniweb import forms, load
from webassay.core.task import PageRead, Task, task_from_record
from webassay.errors import TaskError
from webassay.systems.noisy_oracle import SLIPS
from webassay.systems.oracle import SOLUTIONS


@pytest.fixture(scope="module")
def built() -> Path:
    return miniweb()


@pytest.fixture(scope="module")
def tasks(built: Path) -> list[Task]:
    return load(built)


@pytest.fixture
def database(built: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{(built / 'site.sqlite3').as_uri()}?mode=ro", uri=True)
    yield connection
    connection.close()


def entries(task: Task, evaluator: str) -> list[dict[str, Any]]:
    return [entry for entry in task.eval if entry["evaluator"] == evaluator]


def expected(task: Task) -> dict[str, Any]:
    (answer,) = entries(task, "AgentResponseEvaluator")
    return dict(answer["expected"])


def item_types(task: Task) -> set[str]:
    """The types of an answer's values; a list is one of several."""
    (answer,) = entries(task, "AgentResponseEvaluator")
    items = answer["results_schema"].get("items", {})
    kinds = {items.get("format") or items.get("type", "none")}
    return kinds | ({"list"} if len(expected(task)["retrieved_data"] or ()) > 1 else set())


def test_there_are_tasks_of_every_kind(tasks: list[Task]) -> None:
    assert len(tasks) >= 140 and len({task.template for task in tasks}) >= 55
    sizes = Counter(task.template for task in tasks)
    assert min(sizes.values()) >= 2 and sum(size >= 4 for size in sizes.values()) >= 15
    assert {expected(task)["task_type"] for task in tasks} == {"retrieve", "mutate", "navigate"}
    assert {task.difficulty for task in tasks} == {"easy", "medium", "hard"}
    assert {task.sites[0] for task in tasks if len(task.sites) == 1} == {"shop", "admin", "forum", "wiki", "desk"}
    assert sum(len(task.sites) > 1 for task in tasks) >= 6


@pytest.mark.parametrize(
    "kind",
    ["currency", "date", "duration", "full_address", "integer", "boolean", "list", "object", "month", "url", "string"],
)
def test_every_type_of_answer_is_asked_for(tasks: list[Task], kind: str) -> None:
    assert any(kind in item_types(task) for task in tasks)


def test_what_cannot_be_done_has_its_status(tasks: list[Task]) -> None:
    statuses = Counter(expected(task)["status"] for task in tasks)
    assert statuses.keys() == {
        "SUCCESS",
        "NOT_FOUND_ERROR",
        "ACTION_NOT_ALLOWED_ERROR",
        "PERMISSION_DENIED_ERROR",
        "DATA_VALIDATION_ERROR",
        "NOT_SUPPORTED_BY_PLATFORM",
        "UNKNOWN_ERROR",
    }
    assert min(statuses.values()) >= 2


def test_the_oracle_has_a_way_for_every_template_and_no_more(tasks: list[Task]) -> None:
    assert {task.template for task in tasks} == SOLUTIONS.keys()


def test_every_slip_of_the_noisy_oracle_changes_its_parameter(tasks: list[Task]) -> None:
    for task in tasks:
        if task.template in SLIPS:
            name, slip = SLIPS[task.template]
            assert slip(task.instantiation_dict[name]) != task.instantiation_dict[name], task.task_id


def test_both_forms_stand_in_every_task(tasks: list[Task]) -> None:
    for task in tasks:
        (original,) = entries(task, "WebArenaEvaluator")
        assert len(entries(task, "ChangesEvaluator")) == 1, task.task_id
        reads = [PageRead(check["url"], check["locator"]) for check in original.get("program_html", [])]
        assert list(task.pages) == reads
        is_possible = expected(task)["status"] == "SUCCESS"
        assert (original.get("reference_answers", {}).get("fuzzy_match") == "N/A") != is_possible, task.task_id


def test_before_is_what_the_probes_return_on_the_fresh_database(
    database: sqlite3.Connection, tasks: list[Task]
) -> None:
    for task in tasks:
        states = {entry["probe"]: entry["before"] for entry in entries(task, "StateEvaluator")}
        assert states.keys() == task.probes.keys()
        for name, probe in task.probes.items():
            assert [list(row) for row in database.execute(probe.sql or "", probe.params)] == states[name], task.task_id


def test_only_what_a_task_asks_for_may_change(tasks: list[Task]) -> None:
    for task in tasks:
        (effects,) = entries(task, "ChangesEvaluator")
        changed = [entry["probe"] for entry in entries(task, "StateEvaluator") if entry["before"] != entry["after"]]
        posts = [e for e in entries(task, "NetworkEventEvaluator") if e["expected"].get("response_status") == 302]
        writes = (expected(task)["task_type"], expected(task)["status"]) == ("mutate", "SUCCESS")
        assert [bool(effects["allowed"]), bool(changed), bool(posts)] == [writes] * 3, task.task_id


def test_what_can_be_guessed_must_have_been_looked_up(tasks: list[Task]) -> None:
    for task in tasks:
        answer = expected(task)
        small = all(isinstance(value, bool | int) and value < 10 for value in answer["retrieved_data"] or ["x"])
        if small or answer["status"] != "SUCCESS":
            assert entries(task, "NetworkEventEvaluator"), task.task_id


def test_no_two_tasks_take_the_same_evidence(tasks: list[Task]) -> None:
    def asked(task: Task) -> bytes:
        verified = [entry for entry in task.eval if entry["evaluator"] != "WebArenaEvaluator"]
        return msgspec.json.encode([task.sites, verified], order="deterministic")

    assert [ids for ids, count in Counter(map(asked, tasks)).items() if count > 1] == []


RECOMPUTED = {
    "shop-price": "SELECT price FROM partner_stockrecord s, catalogue_product p WHERE p.id = s.product_id"
    " AND p.title = :product",
    "shop-review-count": "SELECT sum(r.score = :stars) FROM reviews_productreview r WHERE r.product_id ="
    " (SELECT id FROM catalogue_product WHERE title = :product) AND r.status = 1",
    "shop-reviewed": "SELECT count(*) > 0 FROM reviews_productreview WHERE product_id = (SELECT id FROM"
    " catalogue_product WHERE title = :product) AND user_id = (SELECT id FROM auth_user WHERE"
    " first_name || ' ' || last_name = :name)",
    "admin-order-total": "SELECT sum(line_price_incl_tax) FROM order_line WHERE order_id ="
    " (SELECT id FROM order_order WHERE number = :order)",
    "admin-status-count": "SELECT count(*) FROM order_order WHERE status = :status",
    "forum-best-post": "SELECT first_name || ' ' || last_name FROM auth_user WHERE id = (SELECT p.poster_id"
    " FROM miniweb_vote v JOIN forum_conversation_post p ON p.id = v.post_id JOIN forum_conversation_topic t"
    " ON t.id = p.topic_id WHERE t.subject = :topic GROUP BY p.id ORDER BY sum(v.value) DESC LIMIT 1)",
    "desk-count": "SELECT sum(status = 4) FROM helpdesk_ticket t JOIN helpdesk_queue q ON q.id = t.queue_id"
    " WHERE q.title = :queue AND :status = 'Closed'",
    "multi-order-total": "SELECT o.total_incl_tax FROM order_order o, helpdesk_ticket t WHERE t.title = :title"
    " AND instr(t.title || t.description, o.number)",
}
"""The answers asked for in another way than the tasks do it."""


@pytest.mark.parametrize("template", RECOMPUTED)
def test_answers_hold_when_asked_for_in_another_way(
    database: sqlite3.Connection, tasks: list[Task], template: str
) -> None:
    for task in tasks:
        if task.template == template:
            ((value,),) = database.execute(RECOMPUTED[template], task.instantiation_dict)
            (answer,) = expected(task)["retrieved_data"]
            assert answer == (pytest.approx(value) if isinstance(value, float) else value), task.task_id


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


@pytest.mark.parametrize(
    "slip, message",
    [
        ("UPDATE catalogue_product SET title = 'Kestrel Binoculars' WHERE id = 9", "choose a name that is not"),
        ("UPDATE address_useraddress SET line4 = 'Bath'", "three addresses in different cities"),
        ("UPDATE wiki_articlerevision SET content = replace(content, ' days after', ' nights after')", "expected once"),
        ("DELETE FROM forum_forum WHERE name = 'Garden'", "exactly 1"),
        ("UPDATE helpdesk_ticket SET status = 4", "are needed"),
    ],
)
def test_data_that_would_make_a_task_ambiguous_are_refused(
    built: Path, tmp_path: Path, slip: str, message: str
) -> None:
    (tmp_path / "site.sqlite3").write_bytes((built / "site.sqlite3").read_bytes())
    with sqlite3.connect(tmp_path / "site.sqlite3") as database:
        assert database.execute(slip).rowcount > 0
    database.close()
    with pytest.raises(TaskError, match=message):
        load(tmp_path)


@pytest.mark.parametrize(
    "value, text", [(True, "Yes"), (False, "No"), (45.0, "45"), (45.9, "45.9"), (0, "0"), ("March", "March")]
)
def test_values_read_in_plain_text_as_the_original_harness_reads_them(value: Any, text: str) -> None:
    assert forms.as_text(value) == text


def test_times_are_those_of_the_pages() -> None:
    assert forms.local("2025-06-16 23:30:00").date().isoformat() == "2025-06-17"
    assert forms.utc("2025-07-01 00:00:00") == "2025-06-30 23:00:00"
    assert forms.utc("2025-01-01 00:00:00") == "2025-01-01 00:00:00"
