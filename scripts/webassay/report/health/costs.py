"""What judging took: questions, tokens and money, by step and by task."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from webassay.core.answer import Usage
from webassay.report.analysis.tables import Table, for_people, shown_number
from webassay.report.health.reliability import names_shown
from webassay.report.health.seen import Bench, row_of

TOGETHER = "together"
MONEY_DIGITS = 4
NOTE = (
    "What the verdicts that stand took when their questions were first asked; a reply that was found in the store cost "
    "nothing again. Money by `judge.model.prices`, of a million tokens; n/a: no prices are given, which is not 0."
)
TASKS_NOTE = f"The dearest first; all are in the CSV. {NOTE}"
MOST_TASKS = 20
NO_MODEL = "No judge of this experiment asks a model."


def cost_table(found: Sequence[Bench]) -> Table:
    lines = [line for bench in found if bench.asks_models for line in _steps(bench)]
    shown = for_people(_shown(line, "step") for line in lines)
    return Table(
        "cost", "What judging took", pd.DataFrame(lines, columns=_columns("step")), shown, NOTE, _nothing(lines)
    )


def task_cost_table(found: Sequence[Bench]) -> Table:
    lines = [line for bench in found if bench.asks_models for line in _tasks(bench)]
    dearest = sorted(lines, key=lambda line: -(line["prompt_tokens"] + line["completion_tokens"]))[:MOST_TASKS]
    shown = for_people(_shown(line, "task_id") for line in dearest)
    data = pd.DataFrame(lines, columns=_columns("task_id"))
    return Table("cost_tasks", "What judging took, by task", data, shown, TASKS_NOTE, _nothing(lines))


def _columns(key: str) -> list[str]:
    head = ["system", "model", "benchmark", "run_id", "judge", "settings", key]
    return [*head, "trajectories", "calls", "prompt_tokens", "completion_tokens", "reasoning_tokens", "money"]


def _steps(bench: Bench) -> Iterator[dict[str, Any]]:
    """In the order in which they are first asked, and all together."""
    steps = list(dict.fromkeys(step for one in bench.seen for step in one.sidecar.usage))
    for step in steps:
        yield _line(bench, "step", step, [[one.sidecar.usage[step]] for one in bench.seen if step in one.sidecar.usage])
    if len(steps) != 1:
        yield _line(bench, "step", TOGETHER, [list(one.sidecar.usage.values()) for one in bench.seen])


def _tasks(bench: Bench) -> Iterator[dict[str, Any]]:
    for one in bench.seen:
        yield _line(bench, "task_id", one.task_id, [list(one.sidecar.usage.values())])


def _line(bench: Bench, key: str, name: str, used: Sequence[Sequence[Usage]]) -> dict[str, Any]:
    together = [usage for each in used for usage in each]
    return row_of(bench) | {
        key: name,
        "trajectories": len(used),
        "calls": sum(usage.num_calls for usage in together),
        "prompt_tokens": sum(usage.prompt_tokens for usage in together),
        "completion_tokens": sum(usage.completion_tokens for usage in together),
        "reasoning_tokens": sum(usage.reasoning_tokens for usage in together),
        "money": bench.money(together),
    }


def _shown(line: dict[str, Any], key: str) -> dict[str, str]:
    count, money = line["trajectories"], line["money"]
    each = {} if key == "task_id" else {"trajectories": str(count)}
    per = {} if key == "task_id" else {"a trajectory": _money(money / count if money is not None and count else None)}
    numbers = {name: f"{line[name]:,}" for name in ("calls", "prompt_tokens", "completion_tokens", "reasoning_tokens")}
    said = {name.removesuffix("_tokens"): number for name, number in numbers.items()}
    return names_shown(line) | {key.removesuffix("_id"): line[key]} | each | said | {"money": _money(money)} | per


def _money(value: float | None) -> str:
    return shown_number(value, MONEY_DIGITS)


def _nothing(lines: Iterable[Any]) -> str:
    return "" if list(lines) else NO_MODEL
