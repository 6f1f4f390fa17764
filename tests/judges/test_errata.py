"""The errata: each mends the very task it was written for, and no other."""

import json
from typing import Any

import msgspec

from webassay.core.digest import file_digest
from webassay.core.task import task_from_record
from webassay.judges.errata import FILE, errata, mended
from webassay.judges.verified import VERSION


def test_every_entry_fits_the_released_tasks_and_changes_them(wav_records: list[dict[str, Any]]) -> None:
    records = {str(record["task_id"]): record for record in wav_records}
    for task_id, entry in errata().items():
        task = task_from_record(records[task_id], "task")
        after = mended(task)
        assert after.eval != task.eval, task_id
        assert msgspec.structs.replace(after, eval=task.eval) == task, task_id
        assert entry.what and entry.why and entry.evidence, task_id
    untouched = [task_from_record(record, "task") for task_id, record in records.items() if task_id not in errata()]
    assert all(mended(task) is task for task in untouched) and len(untouched) == 812 - len(errata())


def test_a_task_of_the_same_number_is_left_alone(wav_records: list[dict[str, Any]]) -> None:
    record = json.loads(json.dumps(next(record for record in wav_records if record["task_id"] == 429)))
    record["eval"][1]["expected"]["url"] = "__MAP__/relation/1"  # mended upstream, or another benchmark's
    task = task_from_record(record, "task")
    assert mended(task) is task


def test_a_change_of_the_errata_is_a_new_version_of_the_judge() -> None:
    known = (VERSION, file_digest(FILE)[:16])
    assert known == (3, "c6b92189151a9219"), (
        "the errata changed: raise VERSION in judges/verified.py, then note both here"
    )
