"""What a judge says with the agent's own words and without them, about the same trajectories."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.tables import Table, for_people, shown_number
from webassay.report.health.reliability import names_shown
from webassay.report.health.seen import Bench, row_of
from webassay.stats.agreement import mcnemar_exact

NOTE = (
    "Over the trajectories that both graded. What an agent says of itself is a claim: a judge that passes more with it "
    "than without believes claims, unless the task asks for an answer, which cannot be judged without one."
)
NOTHING = "No judge was asked with and without the agent's words: judge.agent_text=true,false does."


def ablation_table(found: Sequence[Bench]) -> Table:
    lines = [_line(told, withheld) for told in found for withheld in found if _is_pair(told, withheld)]
    shown = for_people(_shown(line) for line in lines)
    data = pd.DataFrame(lines, columns=COLUMNS)
    return Table("ablation", "With and without the agent's words", data, shown, NOTE, "" if lines else NOTHING)


COLUMNS = [
    *("system", "model", "benchmark", "run_id", "judge", "settings", "eval_hash", "eval_hash_without", "both_graded"),
    *("success_with", "success_without", "only_with", "only_without", "mcnemar_p"),
]


def _is_pair(told: Bench, withheld: Bench) -> bool:
    """Of one run, before judges that differ in this alone."""
    one, other = (bench.plan.identity["judge"] for bench in (told, withheld))
    return told.plan.run == withheld.plan.run and bool(one.get("agent_text") and other == one | {"agent_text": False})


def _line(told: Bench, withheld: Bench) -> dict[str, Any]:
    without = {one.task_id: one.row.score for one in withheld.seen}
    scores = [(one.row.score, without.get(one.task_id)) for one in told.seen]
    both = [(one == 1, other == 1) for one, other in scores if one is not None and other is not None]
    only = [sum(one and not other for one, other in both), sum(other and not one for one, other in both)]
    return row_of(told) | {
        "eval_hash": told.plan.eval_hash,
        "eval_hash_without": withheld.plan.eval_hash,
        "both_graded": len(both),
        "success_with": sum(one for one, _ in both) / len(both) if both else None,
        "success_without": sum(other for _, other in both) / len(both) if both else None,
        "only_with": only[0],
        "only_without": only[1],
        "mcnemar_p": mcnemar_exact(*only),
    }


def _shown(line: dict[str, Any]) -> dict[str, str]:
    rates = {
        f"success %, {word}": shown_number(None if line[key] is None else 100 * line[key])
        for word, key in (("with", "success_with"), ("without", "success_without"))
    }
    return names_shown(line) | {
        "both graded": str(line["both_graded"]),
        **rates,
        "only with": str(line["only_with"]),
        "only without": str(line["only_without"]),
        "exact McNemar p": f"{line['mcnemar_p']:.3g}",
    }
