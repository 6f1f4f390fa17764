"""Small tasks and traces in the release's words."""

from typing import Any

from webassay.core.task import Task, task_from_record

ENVIRONMENTS = {"shop": {"urls": ["http://shop.test"]}, "git": {"urls": ["http://git.test/", "http://git.example"]}}
PAGE = {"accept": "text/html", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-user": "?1"}


def response_evaluator(task_type: str, data: Any = None, schema: Any = None, **options: Any) -> dict[str, Any]:
    schema = {"type": "array", "items": schema} if schema else {"type": "null"}
    expected = {"task_type": task_type, "status": "SUCCESS", "retrieved_data": data}
    return {"evaluator": "AgentResponseEvaluator", "expected": expected, "results_schema": schema, **options}


def network_evaluator(url: Any, expected: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    return {"evaluator": "NetworkEventEvaluator", "expected": {"url": url, **(expected or {})}, **options}


def task(*evaluators: dict[str, Any], sites: tuple[str, ...] = ("shop",)) -> Task:
    record = {"task_id": 7, "intent": "do", "sites": sites, "intent_template_id": 3, "eval": evaluators}
    return task_from_record(record, "test")


def answer(task_type: str, data: Any = None) -> dict[str, Any]:
    return {"task_type": task_type, "status": "SUCCESS", "retrieved_data": data}


def entry(
    url: str, method: str = "GET", status: Any = 200, headers: dict[str, str] | None = None, **request: Any
) -> dict[str, Any]:
    pairs = [{"name": name, "value": value} for name, value in (PAGE if headers is None else headers).items()]
    asked = {"method": method, "url": url, "headers": pairs, **request}
    return {"request": asked, "response": {"status": status, "headers": [], "cookies": [], "redirectURL": ""}}


def form(text: str) -> dict[str, str]:
    return {"mimeType": "application/x-www-form-urlencoded", "text": text}
