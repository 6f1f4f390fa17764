"""The same tables for people: numbers with their intervals, never raw agreement without kappa and AC1 beside it."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd

from webassay.report.agreement.corrections import CARRIED, JUDGE
from webassay.report.agreement.pairs import MACRO, WEIGHTED
from webassay.report.agreement.tables import PAIR, Agreement
from webassay.report.sheet import Sheet
from webassay.report.tables import markdown_table

NAMES = {
    "agreement": "agreement",
    "kappa": "Cohen κ",
    "ac1": "Gwet AC1",
    "alpha": "Krippendorff α",
    "pabak": "PABAK",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
}
REFERENCE = ("precision", "recall", "f1")
NOTHING = "Nothing to show: "


def markdown(name: str, found: Agreement) -> str:
    """A text for each table that the rule writes."""
    title, draw, missing = TEXTS[name]
    table = found.tables[name]
    if table.empty:
        return f"# {title}\n\n{NOTHING}{missing}\n"
    shown, note = draw(table, found)
    return markdown_table(title, _safe(shown), note)


def latex(name: str, found: Agreement) -> str:
    """The table of pairs, or of strata with their means (the paper's Table 15), for a document that uses booktabs."""
    title, draw, missing = TEXTS[name]
    table = found.tables[name]
    if table.empty:
        return f"% {title}. {NOTHING}{missing}\n"
    text, note = draw(table, found)
    return Sheet(f"agreement_{name}", title, table, text.astype(str), note).latex()


def shown(row: dict[Any, Any], name: str) -> str:
    """`0.66 [0.56, 0.75]`; without an interval the value alone, without a value n/a: the reasons are in the notes."""
    value, low, high = (row[f"{name}{part}"] for part in ("", "_low", "_high"))
    if pd.isna(value):
        return "n/a"
    return f"{value:.3f}" if pd.isna(low) else f"{value:.3f} [{low:.2f}, {high:.2f}]"


def _pairs(table: pd.DataFrame, found: Agreement) -> tuple[pd.DataFrame, str]:
    text = _heads(table)
    text["items"] = [_items(row) for row in table.to_dict("records")]
    if table["rate"].notna().any():
        rates = zip(table["rate"], table["rate_other"], strict=True)
        text["success %"] = ["n/a" if pd.isna(one) else f"{100 * one:.1f} / {100 * two:.1f}" for one, two in rates]
    return _with_statistics(text, table), _note(table, found)


def _items(row: dict[Any, Any]) -> str:
    gaps = [int(row["missing"]), int(row["missing_other"])]
    return f"{row['n']} in {row['clusters']} clusters" + (f" (without: {gaps[0]} / {gaps[1]})" if any(gaps) else "")


def _strata(table: pd.DataFrame, found: Agreement) -> tuple[pd.DataFrame, str]:
    text = _heads(table)
    text["split"], text["stratum"], text["items"] = table["split"], table["stratum"], table["n"].astype(str)
    own = table[~table["stratum"].isin([MACRO, WEIGHTED])]
    return _with_statistics(text, table), _note(own, found) + (
        " The means are of the strata's own kappas, those that have one (how many, is in the CSV): all strata alike, "
        "and weighted by items."
    )


def _heads(table: pd.DataFrame) -> pd.DataFrame:
    names = PAIR if table["category"].any() else PAIR[1:]
    return pd.DataFrame({name: table[name] for name in names})


def _with_statistics(text: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    rows = table.to_dict("records")
    for name, title in NAMES.items():
        if name not in REFERENCE or table[name].notna().any():
            text[title] = [shown(row, name) for row in rows]
    return text


def _note(table: pd.DataFrame, found: Agreement) -> str:
    node = found.analysis["agreement"]
    missing = (
        "a judge's missing verdict counts as failure" if node["missing"] == "failure" else "only items both labelled"
    )
    reasons: dict[str, list[str]] = {}
    for name in (name for name in NAMES if name not in REFERENCE):
        for reason in dict.fromkeys(table[f"{name}_note"]):
            reasons.setdefault(reason, []).append(NAMES[name])
    absent = "; ".join(f"{reason} ({', '.join(names)})" for reason, names in reasons.items() if reason)
    return (
        f"Denominator: {missing}. Brackets: {100 * found.confidence:g} % intervals by {node['resamples']} resamples of "
        "clusters. `without` counts items without a label of the rater's own / the other's. Precision, recall and F1 "
        "take the human labels for the truth. Raw agreement is high wherever one label is frequent: read it with κ and "
        "AC1." + (f" Without value or interval: {absent}." if absent else "")
    )


def _groups(table: pd.DataFrame, found: Agreement) -> tuple[pd.DataFrame, str]:
    text = table[["category", "raters"]].assign(items=table["n"].astype(str))
    text["Krippendorff α"] = [shown(row, "alpha") for row in table.to_dict("records")]
    return text if table["category"].any() else text.drop(columns="category"), (
        "Over items with two labels or more; any number of raters, with gaps."
    )


def _contests(table: pd.DataFrame, found: Agreement) -> tuple[pd.DataFrame, str]:
    text = _heads(table).assign(reference=table["reference"])
    for name in ("n", "only_rater_right", "only_other_right"):
        text[name.replace("_", " ")] = table[name].astype(str)
    text["exact McNemar p"] = [f"{p:.3g}" for p in table["mcnemar_p"]]
    return text, "Items on which one judge alone agrees with the reference; p for a split as uneven as this by chance."


def _corrections(table: pd.DataFrame, found: Agreement) -> tuple[pd.DataFrame, str]:
    whole = table[table["split"] == ""]
    text = _heads(whole).assign(method=whole["method"])
    text["success %"] = [_percent(row) for row in whole.to_dict("records")]
    text["items (labelled)"] = [f"{n} ({k})" for n, k in zip(whole["items"], whole["labelled"], strict=True)]
    warnings = dict.fromkeys(warning for row in table["warnings"] for warning in row.split("; ") if warning)
    return text, "\n".join(
        [
            "Success in percent of all items that the judge judged; strata are in the CSV. How far a judge's rate is "
            "off the human labels, mean of strata in points, as it is and with error rates from the other strata:",
            "",
            *_carried_over(table),
            "",
            "Warnings (each row's own are in the CSV):",
            "",
            *(f"- {warning}" for warning in warnings),
        ]
    )


def _percent(row: dict[Any, Any]) -> str:
    if pd.isna(row["estimate"]):
        return "n/a"
    value, low, high = (100 * row[name] for name in ("estimate", "low", "high"))
    return f"{value:.1f}" if pd.isna(low) else f"{value:.1f} [{low:.1f}, {high:.1f}]"


def _carried_over(table: pd.DataFrame) -> list[str]:
    """Does a correction that was learnt elsewhere help? Both errors, side by side."""
    lines = []
    for (rater, other, split), rows in table[table["split"] != ""].groupby(["rater", "other", "split"], sort=False):
        raw, carried = (100 * rows.loc[rows["method"] == method, "error"].abs().mean() for method in (JUDGE, CARRIED))
        if not pd.isna(carried):
            verdict = "better" if carried < raw else "no better"
            lines.append(f"- {rater} with {other}, by {split}: {raw:.1f} raw, {carried:.1f} carried over ({verdict})")
    return lines or ["- no strata with human labels"]


def _coverage(table: pd.DataFrame, found: Agreement) -> tuple[pd.DataFrame, str]:
    text = _heads(table)
    for name in ("certainty", "kappa", "ac1"):
        text[NAMES.get(name, name)] = ["n/a" if pd.isna(value) else f"{value:.3f}" for value in table[name]]
    text["items"] = table["items"].astype(str)
    text["coverage %"] = [f"{100 * value:.1f}" for value in table["coverage"]]
    bounds = zip(table["accuracy"], table["accuracy_low"], strict=True)
    text["accuracy % (lower bound)"] = [f"{100 * value:.1f} ({100 * low:.1f})" for value, low in bounds]
    target = 100 * found.analysis["agreement"]["target"]
    reached = table[table["reaches_target"].astype(bool)].groupby(PAIR, sort=False)["coverage"].max()
    lines = [f"- {' – '.join(filter(None, pair))}: {100 * share:.1f} %" for pair, share in _named(reached)]
    return text, "\n".join(
        [
            "Items of at least this certainty: a judge's own confidence, or the lead of the votes of several judges; "
            "n/a for all items of a judge that gave none. The bound is one-sided and takes items for independent.",
            "",
            f"Most coverage at which the lower bound of accuracy is {target:g} %:",
            "",
            *(lines or ["- none"]),
        ]
    )


def _named(shares: "pd.Series[float]") -> Iterator[tuple[tuple[str, ...], float]]:
    for names, share in zip(shares.index.to_list(), shares, strict=True):
        yield tuple(map(str, names)), share


def _safe(table: pd.DataFrame) -> pd.DataFrame:
    """Names come from anywhere: in a table they are text, not markup."""
    escaped = {"|": r"\|", "<": "&lt;", ">": "&gt;"}
    return table.map(lambda cell: "".join(escaped.get(letter, letter) for letter in str(cell)))


Draw = Callable[[pd.DataFrame, Agreement], tuple[pd.DataFrame, str]]
TEXTS: dict[str, tuple[str, Draw, str]] = {
    "pairs": ("Agreement of raters", _pairs, "no two raters can be compared."),
    "strata": ("Agreement within strata", _strata, "the labels have no column `stratum` or `stratum_NAME`."),
    "groups": ("Agreement of all judges, of all people", _groups, "there is one judge at most, and one person."),
    "mcnemar": ("Which judge is right more often", _contests, "it takes two judges and human labels."),
    "correction": ("Success rates, corrected", _corrections, "no judge has human labels to be corrected by."),
    "coverage": ("Risk and coverage", _coverage, "it takes a judge, and human labels."),
}
