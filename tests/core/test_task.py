"""Task records: webarena-verified's load as they are; ids that are no file names do not."""

import json
from pathlib import Path

import pytest

from webassay.core.task import Task, read_tasks, task_from_record
from webassay.errors import TaskError

RECORD = {
    "task_id": 7,
    "intent": "Open my todos page",
    "sites": ["gitlab"],
    "intent_template_id": 303,
    "start_urls": ["__GITLAB__"],
    "intent_template": "Open my todos page",
    "instantiation_dict": {},
    "eval": [{"evaluator": "AgentResponseEvaluator", "expected": {"task_type": "navigate"}}],
    "revision": 2,
}


def task(**changes: object) -> Task:
    return task_from_record(RECORD | changes, "here")


def test_a_record_of_webarena_verified_loads_as_it_is() -> None:
    assert (task().task_id, task().template) == ("7", "303")


@pytest.mark.parametrize(
    "name", ["../../x", "a/b", "", ".", "..", "-x", ".hidden", "a" * 101, "a b", "é", "a\nb", "a\0"]
)
def test_an_id_that_is_no_plain_file_name_is_refused(name: str) -> None:
    with pytest.raises(TaskError, match="cannot name a folder"):
        task(task_id=name)


@pytest.mark.parametrize("change", [{"task_id": True}, {"sites": "gitlab"}, {"extra": 1}, {"eval": None}])
def test_a_record_of_the_wrong_shape_is_refused_with_its_place(change: dict[str, object]) -> None:
    with pytest.raises(TaskError, match=r"^here: "):
        task(**change)


def test_an_answer_is_not_part_of_what_the_agent_sees() -> None:
    mended = task(eval=[])
    assert mended.execution_digest == task().execution_digest
    assert mended.digest != task().digest


@pytest.mark.parametrize("change", [{"intent": "x"}, {"sites": ["map"]}, {"start_urls": []}, {"account": "me"}])
def test_what_the_agent_sees_is(change: dict[str, object]) -> None:
    assert task(**change).execution_digest != task().execution_digest


def test_ids_are_unique_within_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(2 * (json.dumps(RECORD) + "\n"))
    with pytest.raises(TaskError, match="used twice"):
        read_tasks(path)
