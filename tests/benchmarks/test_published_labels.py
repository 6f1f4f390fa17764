"""Published verdicts as labels, and broken files of them named."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from webassay.benchmarks.published_labels import load_labels
from webassay.errors import LabelsError

BAD_STREAM = gzip.compress(b"{}", mtime=0)[:10] + b"\xff" * 20
TASKS = [
    {"task_id": "t1", "level": "easy", "Agent-E_human_label": "1", "Other_human_label": "0"},
    {"task_id": "t2", "level": "hard", "Agent-E_human_label": "2", "Other_human_label": "1"},
]
TRAJECTORY = {
    "group": "g",
    "agent": "a",
    "task_id": "t",
    "human_success": "Successful",
    "judges": {"x": {"published_verdict": 0}, "y": {"published_verdict": None}},
}


def om2w(folder: Path, tasks: Any = None, *verdicts: Any, agent: str = "agente") -> list[Path]:
    (folder / "human_label.json").write_text(json.dumps(TASKS if tasks is None else tasks))
    results = folder / "webjudge_x" / f"{agent}_results.json.gz"
    results.parent.mkdir(exist_ok=True)
    results.write_bytes(gzip.compress("\n".join(json.dumps(each) for each in verdicts).encode()))
    return [folder / "human_label.json", results]


def test_agents_that_were_not_judged_are_left_out_and_unjudged_tasks_are_not(tmp_path: Path) -> None:
    labels = load_labels("om2w", om2w(tmp_path, None, {"task_id": "t1", "final_eval": 1}))
    assert [(label.item, label.rater, label.label, label.kind) for label in labels] == [
        ("Agent-E/t1", "human", "success", "human"),
        ("Agent-E/t2", "human", "not executable", "human"),
        ("Agent-E/t1", "webjudge_x", "success", "judge"),
    ]
    assert labels[1].strata["stratum_agent_level"] == "Agent-E, hard" and labels[1].cluster == "t2"


@pytest.mark.parametrize(
    "tasks, verdict, agent, message",
    [
        (None, {"task_id": "t9", "final_eval": 1}, "agente", "task 't9' is not in human_label.json"),
        (None, {"task_id": "t1", "final_eval": 2}, "agente", "line 1: final_eval is 2, expected one of"),
        (None, {"task_id": "t1", "final_eval": []}, "agente", "line 1: final_eval is"),
        (None, {"task_id": "t1"}, "agente", "line 1: no final_eval"),
        (None, 7, "agente", "line 1: no task_id"),
        (None, {"task_id": "t1", "final_eval": 1}, "nobody", "knows no such agent; it has Agent-E, Other"),
        ([], {"task_id": "t1", "final_eval": 1}, "agente", "knows no such agent"),
        (
            [TASKS[0] | {"Agent-E_human_label": "3"}],
            {"task_id": "t1", "final_eval": 1},
            "agente",
            "entry 1: Agent-E_hu",
        ),
    ],
)
def test_a_broken_verdict_of_online_mind2web_is_named(
    tmp_path: Path, tasks: Any, verdict: Any, agent: str, message: str
) -> None:
    with pytest.raises(LabelsError, match=message):
        load_labels("om2w", om2w(tmp_path, tasks, verdict, agent=agent))


def test_a_verdict_that_was_not_published_is_no_label(tmp_path: Path) -> None:
    labels = load_labels("arb", [arb(tmp_path, TRAJECTORY)])
    assert [(label.rater, label.label) for label in labels] == [("human", "success"), ("x", "failure")]


def arb(folder: Path, *records: Any) -> Path:
    path = folder / "verdicts.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


@pytest.mark.parametrize(
    "record, message",
    [
        (TRAJECTORY | {"human_success": "Maybe"}, "line 1: human_success is 'Maybe'"),
        (TRAJECTORY | {"judges": []}, "line 1: judges is no object"),
        (TRAJECTORY | {"judges": {"x": 1}}, "line 1, x: no published_verdict"),
        (TRAJECTORY | {"judges": {}}, "no verdicts of form arb"),
        ("x", "line 1: no judges"),
    ],
)
def test_a_broken_trajectory_of_agent_reward_bench_is_named(tmp_path: Path, record: Any, message: str) -> None:
    with pytest.raises(LabelsError, match=message):
        load_labels("arb", [arb(tmp_path, record)])


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[1,", gzip.compress(b"{}", mtime=0)[:-9], BAD_STREAM])
def test_what_is_no_json_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.jsonl.gz").write_bytes(content)
    with pytest.raises(LabelsError, match=r"broken\.jsonl"):
        load_labels("arb", [tmp_path / "broken.jsonl.gz"])
