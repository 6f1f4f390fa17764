"""Outcomes as users have them: what is taken, what is left out and told, what is refused."""

import io
from pathlib import Path

import pandas as pd
import pytest

from webassay.core.task import Task
from webassay.errors import WebassayError
from webassay.stats.attempts import Pool, by_number, pool_attempts, read_categories

HEADER = "agent,task_id,success,num_steps\n"
TASKS = [
    Task("9", "", ("shop",), "t", ()),
    Task("10", "", ("shop",), "t", ()),
    Task("11", "", ("map",), "m", ()),
    Task("12", "", ("map", "shop"), "t", ()),
]


def pooled(lines: str, header: str = HEADER) -> Pool:
    table = pd.read_csv(io.StringIO(header + lines), dtype={"agent": "str", "task_id": "str", "run_id": "str"})
    return pool_attempts(table.assign(budget=table.get("budget", float("nan"))), TASKS, {}, 30, ["map"])


def test_success_is_coerced_and_steps_are_clipped() -> None:
    pool = pooled("a,9,1,0\na,10,0.9,44\nb,9,1.0,7\nb,10,0,30\n")
    assert pool.attempts[["success", "steps"]].to_numpy().tolist() == [[1, 1], [1, 7], [0, 30], [0, 30]]
    assert pool.attempts["exhausted"].tolist() == [False, False, True, True]
    assert pool.tasks["task_id"].tolist() == ["9", "10"]


def test_an_agent_s_own_budget_marks_what_it_used_up() -> None:
    header = "agent,task_id,success,num_steps,budget\n"
    pool = pooled("a,9,0,10,10\na,10,0,10,\nb,9,1,10,10\n", header)
    assert pool.attempts["exhausted"].tolist() == [True, False, False]


def test_of_several_runs_the_first_by_its_number_counts() -> None:
    pool = pooled("a,10,9,0,6\na,9,9,1,5\na,2,10,0,3\na,10,10,1,4\n", "agent,run_id,task_id,success,num_steps\n")
    assert pool.attempts[["success", "steps"]].to_numpy().tolist() == [[1, 5], [0, 3]]


def test_what_is_left_out_is_counted_by_reason() -> None:
    pool = pooled("a,9,1,5\na,9,0,6\nb,9,,5\nc,9,1,\na,12,1,5\na,11,1,5\n")
    assert (len(pool.attempts), pool.attempts["steps"][0]) == (1, 5)
    assert pool.several_sites == ("12",)
    assert list(pool.left_out.values()) == [1, 1, 1, 1, 1]


def test_a_template_is_the_category_unless_the_user_has_others() -> None:
    outcomes = pd.DataFrame(
        {"agent": "a", "task_id": ["9", "10"], "success": 1.0, "num_steps": 3.0, "budget": float("nan")}
    )
    assert pool_attempts(outcomes, TASKS, {}, 30).tasks["category"].tolist() == ["t", "t"]
    own = {"9": "read", "10": "write"}
    assert pool_attempts(outcomes, TASKS, own, 30).tasks["category"].tolist() == ["read", "write"]
    with pytest.raises(WebassayError, match="1 tasks have no category: 10"):
        pool_attempts(outcomes, TASKS, {"9": "read"}, 30)


@pytest.mark.parametrize(
    "lines, message",
    [
        ("a,99,1,3\n", "1 tasks that the benchmark has not: 99"),
        ("", "no outcome is left to learn hardness from: none was given"),
        ("a,9,,3\n", "no outcome is left to learn hardness from: 1 not judged"),
    ],
)
def test_outcomes_that_teach_nothing_are_refused(lines: str, message: str) -> None:
    with pytest.raises(WebassayError, match=message):
        pooled(lines)


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "expected a CSV"),
        ("task,category\n9,x\n", "expected a CSV"),
        ("task_id,category\n9,x\n9,y\n", "task '9' stands there 2 times"),
        ("task_id,category\n9,\n", "without task_id or category"),
    ],
)
def test_bad_categories_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "categories.csv"
    path.write_text(content)
    with pytest.raises(WebassayError, match=message):
        read_categories(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WebassayError, match=r"none\.csv"):
        read_categories(tmp_path / "none.csv")


def test_numbers_come_in_their_order_before_words() -> None:
    assert sorted(["b", "10", "9", "²", "a"], key=by_number) == ["9", "10", "a", "b", "²"]
