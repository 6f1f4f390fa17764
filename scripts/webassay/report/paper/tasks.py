"""Tables 1, 2, 3, 4, 9 and 14, and what the released files hold: counted, with nothing but the tasks."""

from collections import Counter
from collections.abc import Mapping

import pandas as pd

from webassay.benchmarks import audit
from webassay.core.task import Task
from webassay.report.paper.group import Group
from webassay.report.paper.inputs import Inputs
from webassay.report.sheet import Sheet

SITES = ("shopping", "shopping_admin", "gitlab", "reddit", "map", "multi")
POOL = SITES[:4]
"""The strata from which the hard subset was selected; all of `multi` was added to them."""
UNPUBLISHED = "n/a (not published)"
DETECTOR_NAMES = {
    "page_content": "page content: a text anywhere on a page",
    "locator_substring": "locator: a text within an element's text",
    "response_substring": "response: a text within the answer",
    "substring": "any substring: a text within anything",
    "substring_as_defined": "locator or response: appendix D's words",
    "unachievable": "unachievable: the reference is “N/A”",
    "model_judged": "a language model compares answers",
}


def task_tables(inputs: Inputs) -> Group:
    found = audit.detect(inputs.original)
    sheets = (
        _issues(found, len(inputs.original)),
        _contamination(inputs, found),
        _remedies(found, len(inputs.original)),
        _sites(inputs),
        _hard(inputs),
        _detectors(inputs, found),
        _templates(inputs),
        _verified(inputs),
    )
    return Group(sheets, _facts(inputs, found))


def _issues(found: audit.Found, total: int) -> Sheet:
    counts: dict[str, int | None] = {
        "page content (context-free)": len(found["page_content"]),
        "permissive matching (any substring)": len(found["substring"]),
        "unachievable tasks": len(found["unachievable"]),
        "reference alignment": None,
        "ambiguity": None,
    }
    note = "What people decided (reference alignment, ambiguity) is not published and no difference of texts stands in."
    return _counted("table_1", "Table 1: issues of the original tasks", "issue", counts, total, note)


def _contamination(inputs: Inputs, found: audit.Found) -> Sheet:
    vulnerable = found["response_substring"]
    counts: dict[str, int | None] = {
        "vulnerable: a substring of the answer decides": len(vulnerable),
        "of these passed by GPT-5 without a browser": None,
        "of these passed by Claude without a browser": None,
    }
    counts |= {
        f"of these passed by {name}, run here": len(ids & vulnerable) for name, ids in inputs.from_memory.items()
    }
    note = (
        "The answers of the paper's models are not published; with an endpoint: system=knowledge_only judge=webarena."
    )
    return _counted("table_2", "Table 2: answers from a model's memory", "what", counts, len(inputs.original), note)


def _remedies(found: audit.Found, total: int) -> Sheet:
    either = found["page_content"] | found["locator"]
    counts: dict[str, int | None] = {
        "structured response": total,
        "network activity": total,
        "type-aware matching": len(found["substring"]),
        "backend state verification: page checks without a place and with one, added": (
            len(found["page_content"]) + len(found["locator"])
        ),
        "tasks with a page check of either kind": len(either),
        "no language model as judge": len(found["model_judged"]),
        "explicit status": len(found["unachievable"]),
    }
    note = "The sum counts tasks with both kinds of page checks twice; the next row counts them once."
    return _counted("table_3", "Table 3: tasks that each remedy applies to", "remedy", counts, total, note)


def _sites(inputs: Inputs) -> Sheet:
    whole, hard = audit.by_stratum(inputs.verified), audit.by_stratum(inputs.verified, inputs.hard)
    templates = audit.templates_by_stratum(inputs.verified)
    rows = [{"site": site, "tasks": whole[site], "hard": hard[site], "templates": templates[site]} for site in SITES]
    data = pd.DataFrame([*rows, {"site": "all", **_sums(rows, ("tasks", "hard", "templates"))}])
    note = "multi: tasks that need several sites. A template that two sets of sites share counts in each stratum."
    return Sheet("table_4", "Table 4: tasks by site, all and hard", data, data.map(str), note)


def _hard(inputs: Inputs) -> Sheet:
    whole, hard = audit.by_stratum(inputs.verified), audit.by_stratum(inputs.verified, inputs.hard)
    rows = [{"site": site, "tasks": whole[site], "hard": hard[site]} for site in POOL]
    data = pd.DataFrame([*rows, {"site": "all four", **_sums(rows, ("tasks", "hard"))}])
    data["ratio"] = data["hard"] / data["tasks"]
    note = "The hard subset's share of each site it was selected from."
    return Sheet("table_9", "Table 9: the hard subset by site", data, data.assign(ratio=_shown(data["ratio"], 3)), note)


def _detectors(inputs: Inputs, found: audit.Found) -> Sheet:
    shared = audit.overlaps(found)
    rows: list[dict[str, object]] = []
    for name, label in DETECTOR_NAMES.items():
        strata = audit.by_stratum(inputs.original, found[name])
        counts = {site: strata[site] for site in SITES} | {"tasks": len(found[name])}
        rows.append({"detector": label, **counts, **{f"with_{other}": shared[name, other] for other in DETECTOR_NAMES}})
    data = pd.DataFrame(rows)
    both = shared["page_content", "locator_substring"]
    note = (
        f"Detectors overlap: {both} tasks have both a page and a locator check by substring; all pairs are in the CSV."
    )
    shown = data[["detector", *SITES, "tasks"]].map(str)
    return Sheet("table_14", "Table 14: weak checks of the original tasks by site", data, shown, note)


def _templates(inputs: Inputs) -> Sheet:
    hard = [task for task in inputs.verified if task.task_id in inputs.hard]
    rows: list[dict[str, object]] = []
    for label, tasks in (("all tasks", inputs.verified), ("hard subset", hard)):
        sizes = Counter(audit.template_ids(tasks).values())
        rows.append(
            {
                "tasks of": label,
                "templates": len(audit.template_ids(tasks)),
                "by sites and template": len(audit.template_keys(tasks)),
                "with one task": sizes[1],
                "most tasks of one": max(sizes),
            }
        )
    data = pd.DataFrame(rows)
    note = "The paper counts 191: template 42 stands over two sets of sites, so by the second way it is two."
    return Sheet("templates", "Templates of intents", data, data.map(str), note)


def _verified(inputs: Inputs) -> Sheet:
    hard = [task for task in inputs.verified if task.task_id in inputs.hard]
    counts = {
        "type": (audit.task_types(inputs.verified), audit.task_types(hard)),
        "status": (audit.statuses(inputs.verified), audit.statuses(hard)),
        "requests expected": (_as_text(audit.network_checks(inputs.verified)), _as_text(audit.network_checks(hard))),
    }
    rows = [
        {"what": kind, "value": value, "tasks": count, "hard": part[value]}
        for kind, (whole, part) in counts.items()
        for value, count in whole.most_common()
    ]
    data = pd.DataFrame(rows)
    note = "With 0 requests expected the response alone decides."
    return Sheet("verified_tasks", "What the released tasks expect", data, data.map(str), note)


def _as_text(counts: Counter[int]) -> Counter[str]:
    return Counter({str(value): count for value, count in counts.items()})


def _facts(inputs: Inputs, found: audit.Found) -> dict[str, float]:
    whole, hard = audit.by_stratum(inputs.verified), audit.by_stratum(inputs.verified, inputs.hard)
    hard_tasks: list[Task] = [task for task in inputs.verified if task.task_id in inputs.hard]
    together = audit.site_combinations(inputs.original)
    facts: dict[str, float] = {
        "tasks": len(inputs.original),
        "pool": sum(whole[site] for site in POOL),
        "templates.by_id": len(audit.template_ids(inputs.original)),
        "templates.by_sites_and_id": len(audit.template_keys(inputs.original)),
        "templates.hard": len(audit.template_ids(hard_tasks)),
        "multi.with_map": sum(count for sites, count in together.items() if "+" in sites and "map" in sites.split("+")),
        "hard": len(inputs.hard),
        "verified.not_success": len(inputs.verified) - audit.statuses(inputs.verified)["SUCCESS"],
        "hard.pool": sum(hard[site] for site in POOL),
    }
    facts |= {f"audit.{name}": len(ids) for name, ids in found.items()}
    facts |= {f"sites.{site}": whole[site] for site in SITES} | {f"hard.{site}": hard[site] for site in SITES}
    return facts


def _counted(name: str, title: str, column: str, counts: Mapping[str, int | None], total: int, note: str) -> Sheet:
    data = pd.DataFrame({column: list(counts), "tasks": pd.array(list(counts.values()), dtype="Int64")})
    data["share"] = data["tasks"].astype("Float64") / total
    shown = pd.DataFrame(
        {
            column: list(counts),
            "tasks": [UNPUBLISHED if count is None else str(count) for count in counts.values()],
            f"% of {total}": ["" if count is None else f"{100 * count / total:.1f}" for count in counts.values()],
        }
    )
    return Sheet(name, title, data, shown, note)


def _sums(rows: list[dict[str, object]], columns: tuple[str, ...]) -> dict[str, int]:
    return {column: sum(int(str(row[column])) for row in rows) for column in columns}


def _shown(values: "pd.Series[float]", digits: int) -> list[str]:
    return [f"{value:.{digits}f}" for value in values]
