"""How many answers decline the task, by the rule that found them."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from webassay.report.analysis.record import Record
from webassay.report.analysis.tables import Table, for_people, groups, nothing_in, percent, samples
from webassay.report.analysis.wording import RULES

ANY = "any rule"
NOTE = (
    "Final answers of completed runs in which the agent declines the task, by wording (report/analysis/wording.py has "
    "the rules; an answer counts for the first that fits). Percent of completed runs. What is declined in other words "
    "is missed: a lower bound."
)


def refusals_table(records: Sequence[Record]) -> Table:
    lines: list[dict[str, Any]] = []
    for run, members in groups(records):
        answers = [record for record in members if record.completed]
        for rule in (ANY, *RULES):
            having = [record for record in answers if record.refusal in ((*RULES,) if rule == ANY else (rule,))]
            told = {"run": run, "rule": rule, "count": len(having), "of": len(answers)}
            lines.append(told | {"samples": samples(having, run)})
    shown = (
        {"run": line["run"], "rule": line["rule"], "count": str(line["count"])}
        | {"%": percent(line["count"], line["of"]), "of": str(line["of"]), "samples": line["samples"]}
        for line in lines
        if line["count"] or line["rule"] == ANY
    )
    return Table("refusals", "Refusals", pd.DataFrame(lines), for_people(shown), NOTE, nothing_in(records))
