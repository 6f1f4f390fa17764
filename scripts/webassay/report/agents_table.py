"""Agents side by side as a table: numbers for programs, text for people."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from webassay.report.agents import Beside, Comparison, Line
from webassay.report.sheet import Sheet
from webassay.report.tables import shown_interval
from webassay.stats.paired import Difference
from webassay.stats.success import Interval, rule_of_three

COUNTS = ("difference_templates", "matched_templates", "mcnemar_tasks", "only_agent", "only_anchor")
NOTE = (
    "Success in percent: over tasks, over templates (template-macro, t-interval over T templates; in square brackets "
    "the bootstrap interval, templates drawn anew), over sites. Coverage: attempts with a score of those expected. "
    "Differences to the anchor{anchor} are over the templates that both have, each mean being of all own attempts "
    "(over common tasks alone: in the CSV, where their tasks differ); ▲ and ▼: the interval lies wholly above or below "
    "zero. p: t-test over templates, corrected by Holm for all comparisons with the anchor. "
    "McNemar: tasks that only the agent or only the anchor passes, exact p. Detectable: the difference that these "
    "templates would show in four of five experiments."
)
FLAT_NOTE = "± 0.0 means that all templates agree, not that nothing is uncertain"
AT_A_BOUND = ": where all of T={templates} are 0 or all 100, the true rate may still be {bound:.1f} points away"
FLAT_DIFFERENCE_NOTE = (
    "A difference that all templates share has no spread, and so neither an interval nor a test (n/a)."
)


def comparison_data(comparison: Comparison) -> pd.DataFrame:
    """A line for each agent, at full precision."""
    table = pd.DataFrame([_data(line) | _data_beside(line.beside) for line in comparison.lines])
    return table.astype({name: "Int64" for name in COUNTS if name in table.columns})


def _data(line: Line) -> dict[str, object]:
    return {
        "agent": line.agent,
        "attempted": line.coverage.attempted,
        "expected": line.coverage.expected,
        "runs": line.runs,
        "success": line.success,
        "macro": line.macro.mean,
        "half_width": line.macro.half_width,
        "templates": line.macro.templates,
        "bootstrap_low": line.resampled.low if line.resampled else None,
        "bootstrap_high": line.resampled.high if line.resampled else None,
        "site_macro": line.sites.mean,
        "site_half_width": line.sites.half_width,
        "sites": line.sites.sites,
    }


def _data_beside(beside: Beside | None) -> dict[str, object]:
    if beside is None:
        return {"difference": None}
    interval, told = beside.against.interval, beside.told_apart
    matched = beside.matched.interval if beside.matched else Interval(None, None, 0)
    return {
        "difference": interval.mean,
        "difference_half_width": interval.half_width,
        "difference_templates": interval.templates,
        "matched_difference": matched.mean,
        "matched_half_width": matched.half_width,
        "matched_templates": matched.templates if beside.matched else None,
        "outperforms": beside.against.outperforms,
        "falls_behind": beside.against.falls_behind,
        "p": beside.against.p_value,
        "p_holm": beside.p_holm,
        "mcnemar_tasks": told.tasks,
        "only_agent": told.only_agent,
        "only_anchor": told.only_anchor,
        "mcnemar_p": told.p_value,
        "detectable": beside.detectable,
    }


def comparison_shown(comparison: Comparison) -> pd.DataFrame:
    several = len(comparison.lines) > 1
    return pd.DataFrame([_shown(line) | (_shown_beside(line.beside) if several else {}) for line in comparison.lines])


def _shown(line: Line) -> dict[str, str]:
    sites = line.sites
    spread = "n/a" if sites.half_width is None else f"{100 * sites.half_width:.1f}"
    drawn = f" [{100 * line.resampled.low:.1f} – {100 * line.resampled.high:.1f}]" if line.resampled else ""
    return {
        "agent": line.agent,
        "coverage": str(line.coverage) + (f" ({line.runs} runs)" if line.runs > 1 else ""),
        "success %": shown_percent(line.success),
        "template-macro": shown_interval(line.macro) + drawn,
        "site-macro": "n/a" if sites.mean is None else f"{100 * sites.mean:.1f} ± {spread} (S={sites.sites})",
    }


def _shown_beside(beside: Beside | None) -> dict[str, str]:
    if beside is None:
        return {"− anchor": "anchor", "p (Holm)": "", "McNemar": "", "detectable": ""}
    told = beside.told_apart
    return {
        "− anchor": shown_difference(beside.against),
        "p (Holm)": shown_p(beside.p_holm),
        "McNemar": f"{told.only_agent} : {told.only_anchor}, p {shown_p(told.p_value)}" if told.tasks else "n/a",
        "detectable": shown_percent(beside.detectable),
    }


def shown_difference(found: Difference) -> str:
    interval = found.interval
    if interval.mean is None:
        return "n/a (no common template)"
    mark = " ▲" if found.outperforms else " ▼" if found.falls_behind else ""
    return shown_interval(interval) + mark


def shown_p(value: float | None) -> str:
    return "n/a" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def shown_percent(value: float | None) -> str:
    return "n/a" if value is None or pd.isna(value) else f"{100 * value:.1f}"


def comparisons_note(comparisons: Sequence[Comparison]) -> str:
    anchors = dict.fromkeys(each.anchor for each in comparisons if len(each.lines) > 1)
    text = NOTE.format(anchor=f" ({', '.join(anchors)})" if anchors else "")
    lines = [line for each in comparisons for line in each.lines]
    flat = any(line.beside and line.beside.against.is_flat for line in lines)
    text += flat_note([line.macro for line in lines], comparisons[0].confidence)
    return f"{text} {FLAT_DIFFERENCE_NOTE}" if flat else text


def flat_note(rates: Iterable[Interval], confidence: float) -> str:
    """What ± 0.0 leaves open, where a table has one; to be put after its note."""
    flat = [interval for interval in rates if interval.is_flat]
    if not flat:
        return ""
    ends = [interval.templates for interval in flat if interval.is_at_a_bound]
    bound = AT_A_BOUND.format(templates=min(ends), bound=100 * rule_of_three(min(ends), confidence)) if ends else ""
    return f" {FLAT_NOTE}{bound}."


def comparisons_sheet(name: str, title: str, comparisons: Mapping[str, Comparison], column: str) -> Sheet:
    """All of them below each other; `column` is what sets them apart."""
    data = _joined({key: comparison_data(each) for key, each in comparisons.items()}, column)
    shown = _joined({key: comparison_shown(each) for key, each in comparisons.items()}, column).fillna("")
    return Sheet(name, title, data, shown, comparisons_note(list(comparisons.values())))


def _joined(tables: Mapping[str, pd.DataFrame], column: str) -> pd.DataFrame:
    parts = [table.assign(**{column: key}) for key, table in tables.items()]
    joined = pd.concat([part.astype(object) for part in parts], ignore_index=True)
    return joined[[column, *(name for name in joined.columns if name != column)]]
