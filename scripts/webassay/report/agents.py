"""Agents side by side: rates with their intervals and coverage, and each agent's difference to an anchor."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from webassay.errors import ConfigError
from webassay.stats.bootstrap import Resampled, clustered
from webassay.stats.coverage import Coverage, coverage
from webassay.stats.paired import Difference, McNemar, difference, holm, matched_difference, mcnemar
from webassay.stats.power import detectable_paired
from webassay.stats.sites import SiteMacro, site_macro
from webassay.stats.success import Interval, template_macro

RESAMPLES = 2000
SEED = 0
POWER = 0.8
"""How often a difference of the size called detectable is found."""


@dataclass(frozen=True)
class Beside:
    """What there is to say of an agent beside the anchor."""

    against: Difference
    matched: Difference | None
    """Over common tasks alone; None where both attempted the same."""
    told_apart: McNemar
    detectable: float | None
    """None where the templates do not differ at all."""
    p_holm: float | None


@dataclass(frozen=True)
class Line:
    agent: str
    coverage: Coverage
    runs: int
    success: float | None
    macro: Interval
    resampled: Resampled | None
    sites: SiteMacro
    beside: Beside | None
    """None for the anchor itself."""


@dataclass(frozen=True)
class Comparison:
    anchor: str
    lines: tuple[Line, ...]
    confidence: float


def compare(
    agents: Mapping[str, pd.DataFrame], expected: Collection[str], confidence: float, anchor: str | None = None
) -> Comparison:
    """Attempts by agent; the anchor is the one named, else the first of those with the most attempts."""
    if not agents:
        raise ConfigError("there is no agent to compare")
    covered = {name: coverage(rows, expected) for name, rows in agents.items()}
    if anchor is not None and anchor not in agents:
        raise ConfigError(f"analysis.anchor={anchor}: no such agent; there are {', '.join(agents)}")
    chosen = anchor or max(agents, key=lambda name: covered[name].attempted)
    others = {name: rows for name, rows in agents.items() if name != chosen}
    beside = _beside(others, agents[chosen], confidence)
    lines = [_line(name, rows, covered[name], confidence, beside.get(name)) for name, rows in agents.items()]
    return Comparison(chosen, tuple(lines), confidence)


def compare_each(
    groups: Mapping[str, Mapping[str, pd.DataFrame]],
    expected: Mapping[str, Collection[str]],
    confidence: float,
    anchor: str | None,
) -> dict[str, Comparison]:
    """One comparison for each group of agents that met the same tasks and judge; some group must have the anchor."""
    known = dict.fromkeys(agent for agents in groups.values() for agent in agents)
    if anchor is not None and anchor not in known:
        raise ConfigError(f"analysis.anchor={anchor}: no such agent; there are {', '.join(known)}")
    return {
        name: compare(agents, expected[name], confidence, anchor if anchor in agents else None)
        for name, agents in groups.items()
    }


def _beside(others: Mapping[str, pd.DataFrame], anchor: pd.DataFrame, confidence: float) -> dict[str, Beside]:
    if not others:
        return {}
    against = {name: difference(rows, anchor, confidence) for name, rows in others.items()}
    corrected = holm({name: found.p_value for name, found in against.items()})
    return {
        name: Beside(
            found,
            matched_difference(others[name], anchor, confidence),
            mcnemar(others[name], anchor),
            _detectable(found, confidence),
            corrected[name],
        )
        for name, found in against.items()
    }


def _detectable(found: Difference, confidence: float) -> float | None:
    if found.spread is None or found.interval.half_width is None:
        return None
    return detectable_paired(found.interval.templates, found.spread, confidence, POWER)


def _line(name: str, rows: pd.DataFrame, covered: Coverage, confidence: float, beside: Beside | None) -> Line:
    scores = rows["score"].dropna()
    return Line(
        agent=name,
        coverage=covered,
        runs=rows["run_id"].nunique(),
        success=float(scores.mean()) if len(scores) else None,
        macro=template_macro(rows, confidence),
        resampled=clustered(rows, confidence, np.random.default_rng(SEED), RESAMPLES),
        sites=site_macro(rows, confidence),
        beside=beside,
    )
