"""Tables 7, 8, 10, 11 and 12 of a hard subset, of the paper's agents or of anybody's."""

import pandas as pd

from webassay.report.sheet import Sheet
from webassay.report.subset.hard import HardSubset

NOTE = (
    "Success is the mean over an agent's attempts, as a fraction. τ is Kendall's τ-b between the agents' order on the "
    "pool and on the subset; mae the mean absolute difference of their success, which a subset of hard tasks has by "
    "design. The bootstrap resamples templates, the same ones for pool and subset. `tau without` an agent is of the "
    "others on the same subset. Tasks over several sites are in the subset and in none of these figures. Agents that "
    "the subset was chosen with are no independent test of it."
)
CONSTANTS = {
    "tau_hard": "τ hard: a task is hard with an average agent's success up to",
    "tau_easy": "τ easy: a category is very easy from a median success of",
    "cap": "most tasks of a category",
    "cap_easy": "most tasks of a very easy category",
    "min_agents": "least agents that attempted a task",
    "budget": "budget of steps",
    "bootstrap": "resamples of templates, validation",
    "category_bootstrap": "resamples of tasks, categories",
    "category_confidence": "confidence of the categories' intervals",
    "min_successes": "least successes for a site's own reference steps",
}
"""By their keys, in `analysis.subset` or its caps."""


def subset_sheets(found: HardSubset) -> dict[str, Sheet]:
    sheets = (_constants(found), _validation(found), _probabilities(found), _ablations(found), _composition(found))
    return {sheet.name: sheet for sheet in sheets}


def number(value: object) -> str:
    if value is None or (isinstance(value, float) and pd.isna(value)):
        return "n/a"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def readable(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype("object").map(number)


def _sheet(name: str, title: str, data: pd.DataFrame, found: HardSubset, note: str) -> Sheet:
    told = found.diagnostics
    agents = f"{len(told['agents'])} agents, {told['attempts']} attempts at {told['tasks']} tasks on one site."
    warning = "" if told.get("converged", True) else " The search for the model's scales did not arrive."
    title = f"Table {name.removeprefix('table_')}: {title}"
    return Sheet(name, title, data, readable(data), f"{note} {agents}{warning}")


def _constants(found: HardSubset) -> Sheet:
    settings = found.settings
    owners = {key: settings.caps if hasattr(settings.caps, key) else settings for key in CONSTANTS}
    rows: list[tuple[str, object]] = [(CONSTANTS[key], getattr(owner, key)) for key, owner in owners.items()]
    rows.append(("tasks selected on one site", int(found.selected["selected"].sum())))
    data = pd.DataFrame(rows, columns=["constant", "value"], dtype="object")
    return _sheet("table_7", "constants of the selection", data, found, "Keys: analysis.subset.")


def _validation(found: HardSubset) -> Sheet:
    return _sheet("table_8", "the subset against its pool", found.validation, found, NOTE)


def _probabilities(found: HardSubset) -> Sheet:
    table = found.selected
    parts = {"eligible": table[table["eligible"]], "selected": table[table["selected"]]}
    rows = [
        {
            "tasks": name,
            "n": len(pi),
            "mean": float(pi.mean()),
            "sd": float(pi.std(ddof=1)) if len(pi) > 1 else None,
            **{word: float(pi.quantile(share)) for word, share in (("least", 0), ("median", 0.5), ("most", 1))},
            "at least 0.5": int((pi >= 0.5).sum()),
            "at least 0.9": int((pi >= 0.9).sum()),
        }
        for name, pi in ((name, part["pi"]) for name, part in parts.items())
    ]
    note = "π: the probability that an average agent's success is at most τ hard."
    return _sheet("table_10", "selection probabilities", pd.DataFrame(rows), found, note)


def _ablations(found: HardSubset) -> Sheet:
    drop = ["hard", "hard_share", "pi_90", "pi_90_share", "median_p_hat"]
    data = found.ablations.drop(columns=drop)
    data = data.rename(columns=lambda name: name.removeprefix("tasks_").replace("_", " "))
    note = "The first line is the selection; shared: tasks that it and another set of caps both take."
    return _sheet("table_11", "the selection under other caps", data, found, note)


def _composition(found: HardSubset) -> Sheet:
    names = ["name", "tasks", "tau_hard", "median_p_hat", "hard", "hard_share", "pi_90", "pi_90_share"]
    data = found.ablations[names]
    sheet = _sheet("table_12", "how hard the selected tasks are", data, found, "p̂: an average agent's success.")
    rows = data.to_dict("records")
    shown = pd.DataFrame(
        {
            "selection": [row["name"] for row in rows],
            "tasks": [str(row["tasks"]) for row in rows],
            "median p̂": [number(row["median_p_hat"]) for row in rows],
            "p̂ up to τ hard": [_share(row["hard"], row["hard_share"]) for row in rows],
            "π at least 0.9": [_share(row["pi_90"], row["pi_90_share"]) for row in rows],
        }
    )
    return Sheet(sheet.name, sheet.title, data, shown, sheet.note)


def _share(count: int, share: float) -> str:
    return f"{count} ({100 * share:.1f} %)"
