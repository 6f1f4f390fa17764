"""A small tasks file over the shop in the box, for tests that change tasks."""

import json
from pathlib import Path
from typing import Any

NAMES = ("one", "two", "three", "four")


def record(name: str, intent: str = "Get the price of a thing.") -> dict[str, Any]:
    expected = {"task_type": "retrieve", "status": "SUCCESS", "retrieved_data": [name]}
    schema = {"type": "array", "items": {"type": "string"}}
    return {
        "task_id": name,
        "intent": intent,
        "sites": ["shop"],
        "intent_template_id": "thing",
        "start_urls": ["__SHOP__/"],
        "account": "customer",
        "eval": [{"evaluator": "AgentResponseEvaluator", "results_schema": schema, "expected": expected}],
    }


def write(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
