"""Trajectories as webeval's agent leaves them, one of each kind, and the tasks that they are about."""

import json
from pathlib import Path
from typing import Any

PNG = b"\x89PNG\r\n\x1a\n"
ANSWERS = {"right": "42", "wrong": "41", "late": "<no_answer>", "idle": "42", "unfinished": "42", "broken": "42"}


def record(name: str) -> dict[str, Any]:
    check = {
        "evaluator": "WebArenaEvaluator",
        "eval_types": ["string_match"],
        "reference_answers": {"exact_match": "42"},
    }
    task = {"task_id": name, "intent": "How many?", "sites": ["shopping"], "intent_template_id": "count"}
    return task | {"eval": [check]}


def write_tasks(path: Path) -> None:
    lines = [json.dumps(record(name)) for name in (*ANSWERS, "aborted", "never-run")]
    path.write_text("\n".join(lines))


def write_runs(folder: Path) -> Path:
    """Those of `ANSWERS`, one that was aborted, and one of a task that nobody knows."""
    for name, answer in ANSWERS.items():
        write_trajectory(folder / "a", name, answer)
    home = write_trajectory(folder / "b" / "deep", "aborted", "<no_answer>")
    (home / "aborted_final_answer.json").write_text('{"is_aborted": true}')
    write_trajectory(folder / "b", "stranger", "42")
    return folder


def write_trajectory(folder: Path, name: str, answer: str) -> Path:
    """With the verdict of another judge beside it."""
    home = folder / name
    (home / "scores").mkdir(parents=True)
    names = {"idle": [], "unfinished": ["left_click"]}.get(name, ["left_click", "terminate"])
    lines = [json.dumps({"action": "computer_use", "arguments": {"action": each}, "url": ""}) for each in names]
    (home / "web_surfer.log").write_text("\n".join(lines + ["{broken"] * (name == "broken")) + "\n")
    (home / f"{name}_final_answer.json").write_text(json.dumps({"final_answer": answer}))
    (home / "screenshot0.png").write_bytes(PNG)
    (home / "scores" / "gpt_eval.json").write_text('{"score": 0.0, "gpt_response_text": "NOT SUCCESS"}')
    return home
