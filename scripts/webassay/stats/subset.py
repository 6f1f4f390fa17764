"""The hard subset: which tasks to take, by their hardness and under a cap for each category (§4.5 of the paper)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from webassay.core.digest import digest
from webassay.errors import ConfigError
from webassay.stats.attempts import Pool, by_number

GROUP = ["site", "category"]


class Caps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers that decide a selection; an ablation is another set of them."""

    tau_hard: float
    """A task is hard with success up to this."""
    cap: int
    """Most tasks of a category."""
    cap_easy: int
    """Most tasks of a very easy one."""
    tau_easy: float
    """A category is very easy from this median success on."""
    min_agents: int
    """A task that fewer have attempted is not eligible."""


class Passed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bootstrap replicate must reach to count as passed."""

    tau: float
    mae: float


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`analysis.subset`; the defaults are in config/schema/analysis.py."""

    judge: str
    categories: str
    excluded_sites: tuple[str, ...]
    seed: int
    budget: int
    bins: tuple[int, ...]
    min_successes: int
    caps: Caps
    ablations: tuple[Caps, ...]
    bootstrap: int
    passed: Passed
    category_bootstrap: int
    category_confidence: float
    refit: bool


def settings_of(node: dict[str, Any]) -> Settings:
    """Checked beyond types; the error names the key."""
    settings = msgspec.convert(node, Settings)
    bins, budget = settings.bins, settings.budget
    checks = {
        "budget: must be at least 1": budget >= 1,
        "bins: must begin with 1, rise and end within the budget": (
            bins[:1] == (1,) and list(bins) == sorted(set(bins)) and bins[-1] <= budget
        ),
        "min_successes: must be at least 1": settings.min_successes >= 1,
        "bootstrap, category_bootstrap: must be between 10 and 100000": all(
            10 <= count <= 100_000 for count in (settings.bootstrap, settings.category_bootstrap)
        ),
        "category_confidence: must lie between 0.5 and 0.9999": 0.5 <= settings.category_confidence <= 0.9999,
        "seed: must not be negative": settings.seed >= 0,
    }
    for name, caps in (("caps", settings.caps), *(("ablations", caps) for caps in settings.ablations)):
        checks |= {
            f"{name}.tau_hard, {name}.tau_easy: must lie between 0 and 1": (
                0 < caps.tau_hard < 1 and 0 < caps.tau_easy <= 1
            ),
            f"{name}.cap, {name}.min_agents: must be at least 1, {name}.cap_easy at least 0": (
                caps.cap >= 1 and caps.min_agents >= 1 and caps.cap_easy >= 0
            ),
        }
        for told, holds in checks.items():
            if not holds:
                raise ConfigError(f"analysis.subset.{told}")
    return settings


def require_eligible(attempts: "pd.Series[int]", caps: Caps) -> None:
    """`attempts` of each task."""
    if (most := int(attempts.max())) < caps.min_agents:
        raise ConfigError(
            f"no task has been attempted by {caps.min_agents} agents (at most by {most}); "
            f"run more agents, or set analysis.subset.caps.min_agents={most}"
        )


def select(table: pd.DataFrame, caps: Caps) -> pd.DataFrame:
    """The hardness table with `eligible`, `very_easy` and `selected`.

    In each (site, category) the tasks of highest π are taken, then of lowest p̂, then of lowest id, up to the cap:
    all of them, since the paper has no least π. Its rule that ties favour diverse sites says nothing within one site.
    """
    eligible = table["attempts"] >= caps.min_agents
    require_eligible(table["attempts"], caps)
    easy = table.groupby(GROUP)["p_hat"].transform("median") >= caps.tau_easy
    keys = table["task_id"].map(by_number)
    ranked = table.assign(key=keys, hardest=-table["pi"])[eligible].sort_values(["hardest", "p_hat", "key"])
    place = ranked.groupby(GROUP).cumcount()
    cap = np.where(easy[ranked.index], caps.cap_easy, caps.cap)
    selected = pd.Series(False, index=table.index)
    selected[ranked.index] = place < cap
    return table.assign(eligible=eligible, very_easy=easy, selected=selected)


def category_table(table: pd.DataFrame, resamples: int, confidence: float, rng: np.random.Generator) -> pd.DataFrame:
    """Each category's median p̂ with a percentile bootstrap over its tasks, and how many of them were taken."""
    rows = []
    for (site, category), tasks in table.groupby(GROUP, sort=True):
        values = tasks["p_hat"].to_numpy()
        medians = np.median(rng.choice(values, (resamples, len(values))), axis=1)
        low, high = np.quantile(medians, [0.5 - confidence / 2, 0.5 + confidence / 2])
        rows.append(
            {
                "site": site,
                "category": category,
                "tasks": len(tasks),
                "eligible": int(tasks["eligible"].sum()),
                "selected": int(tasks["selected"].sum()),
                "median_p_hat": float(np.median(values)),
                # the median of one task is known no better than the task: resampling it says nothing
                "low": float(low) if len(values) > 1 else np.nan,
                "high": float(high) if len(values) > 1 else np.nan,
                "very_easy": bool(tasks["very_easy"].iloc[0]),
            }
        )
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class Subset:
    """In the form of the release's subset files."""

    description: str
    task_ids: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Ids that are all numbers are written as numbers, as webarena-verified's are."""
        plain = all(by_number(name)[0] == 0 and str(int(name)) == name for name in self.task_ids)
        ids = [int(name) for name in self.task_ids] if plain else list(self.task_ids)
        return {"description": self.description, "task_ids": ids, "checksum": digest(sorted(ids))}


def subset_of(selected: pd.DataFrame, pool: Pool, name: str) -> Subset:
    """Tasks over several sites are all taken: the model has nothing to say of them."""
    chosen = selected.loc[selected["selected"], "task_id"].tolist()
    ids = sorted([*chosen, *pool.several_sites], key=by_number)
    return Subset(
        f"Hard subset of {name}: {len(chosen)} of {len(selected)} tasks on one site by hardness "
        f"({selected['eligible'].sum()} eligible), and all {len(pool.several_sites)} on several",
        tuple(ids),
    )


def by_site(selected: pd.DataFrame, sites: Sequence[str]) -> pd.DataFrame:
    """How many of each site's tasks were taken."""
    counts = selected.groupby("site").agg(tasks=("selected", "size"), selected=("selected", "sum")).loc[list(sites)]
    return counts.assign(ratio=counts["selected"] / counts["tasks"]).reset_index()
