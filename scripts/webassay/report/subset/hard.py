"""From pooled attempts to a hard subset: fit, select, validate, and the same under other caps."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from webassay.config.experiment import CONFIG
from webassay.config.paths import RESULTS
from webassay.core.digest import code_provenance, file_digest
from webassay.core.python_environment import python_with
from webassay.errors import ConfigError
from webassay.stats.attempts import Pool
from webassay.stats.hardness import (
    Draws,
    Model,
    build_model,
    check_informative,
    hardness_table,
    laplace_posterior,
)
from webassay.stats.nuts import nuts_posterior
from webassay.stats.steps import reference_steps
from webassay.stats.subset import Settings, Subset, by_site, category_table, require_eligible, select, subset_of
from webassay.stats.validation import ecdf_table, replicates, validate, validate_refitted

BACKENDS = ("laplace", "numpyro")
NUMPYRO_LOCK = CONFIG.parent / "envs" / "numpyro.lock"
CHOSEN = "selected"


@dataclass(frozen=True)
class Fit:
    pool: Pool
    n_ref: pd.DataFrame
    model: Model
    draws: Draws
    diagnostics: dict[str, Any]

    def table(self, tau: float) -> pd.DataFrame:
        return hardness_table(self.pool, self.model, self.draws, tau)


@dataclass(frozen=True)
class HardSubset:
    """All that `subset/` holds."""

    subset: Subset
    selected: pd.DataFrame
    categories: pd.DataFrame
    sites: pd.DataFrame
    validation: pd.DataFrame
    ablations: pd.DataFrame
    ecdf: pd.DataFrame
    replicates: pd.DataFrame
    """τ and mae of each draw of templates."""
    settings: Settings
    diagnostics: dict[str, Any]


def hard_subset(name: str, pool: Pool, settings: Settings, backend: str) -> HardSubset:
    """`name` is the benchmark's."""
    caps = settings.caps
    require_eligible(pool.attempts.groupby("task").size(), caps)
    fitted = fit(pool, settings, backend)
    selected = select(fitted.table(caps.tau_hard), caps)
    others = [
        (f"ablation {number}", select(fitted.table(one.tau_hard), one))
        for number, one in enumerate(settings.ablations, 1)
    ]
    rng = np.random.default_rng(settings.seed)
    checks = [validate(pool, selected, settings.bootstrap, settings.passed, rng)]
    if settings.refit:
        checks.append(
            validate_refitted(pool, selected, lambda one: fit(one, settings, backend).table(caps.tau_hard), caps)
        )
    sites = fitted.n_ref.merge(by_site(selected, fitted.n_ref["site"].tolist()), on="site")
    return HardSubset(
        subset=subset_of(selected, pool, name),
        selected=selected,
        categories=category_table(selected, settings.category_bootstrap, settings.category_confidence, rng),
        sites=sites,
        validation=pd.concat(checks, ignore_index=True),
        ablations=_ablations(settings, selected, others),
        ecdf=ecdf_table([(CHOSEN, selected), *others]),
        # the seed that the validation began with: these are its replicates
        replicates=replicates(pool, selected, settings.bootstrap, np.random.default_rng(settings.seed)),
        settings=settings,
        diagnostics=fitted.diagnostics | _data_told(pool),
    )


def fit(pool: Pool, settings: Settings, backend: str) -> Fit:
    n_ref = reference_steps(pool, settings.min_successes)
    model = build_model(pool, n_ref, settings.bins, settings.budget)
    check_informative(model)
    if backend == "laplace":
        draws, told = laplace_posterior(model, np.random.default_rng(settings.seed))
    elif backend == "numpyro":
        draws, told = nuts_posterior(model, numpyro_python(), settings.seed)
    else:
        raise ConfigError(f"analysis.backend={backend}: no such backend; available: {', '.join(BACKENDS)}")
    told = {"backend": backend, "seed": settings.seed, "version": code_provenance(), **told}
    return Fit(pool, n_ref, model, draws, told | {"notes": list(model.notes)})


def numpyro_python() -> Path:
    """Its environment is made once for each state of its lock file."""
    return python_with(NUMPYRO_LOCK, RESULTS / "environments" / f"numpyro-{file_digest(NUMPYRO_LOCK)[:8]}")


def _ablations(settings: Settings, selected: pd.DataFrame, others: list[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    """What each set of caps would take, and how much of the selection it shares."""
    chosen = set(selected.loc[selected["selected"], "task_id"])
    rows = []
    for (name, table), caps in zip([(CHOSEN, selected), *others], (settings.caps, *settings.ablations), strict=True):
        taken = table[table["selected"]]
        other = set(taken["task_id"])
        rows.append(
            {
                "name": name,
                **{field: getattr(caps, field) for field in caps.__struct_fields__},
                "tasks": len(taken),
                "shared": len(chosen & other),
                "jaccard": len(chosen & other) / len(chosen | other),
                "median_p_hat": float(taken["p_hat"].median()),
                "hard": int((taken["p_hat"] <= caps.tau_hard).sum()),
                "hard_share": float((taken["p_hat"] <= caps.tau_hard).mean()),
                "pi_90": int((taken["pi"] >= 0.9).sum()),
                "pi_90_share": float((taken["pi"] >= 0.9).mean()),
                **{f"tasks_{site}": int(count) for site, count in taken.groupby("site").size().items()},
            }
        )
    return pd.DataFrame(rows)


def _data_told(pool: Pool) -> dict[str, Any]:
    return {
        "source": pool.source,
        "agents": pool.agents,
        "tasks": len(pool.tasks),
        "attempts": len(pool.attempts),
        "successes": int(pool.attempts["success"].sum()),
        "exhausted": int(pool.attempts["exhausted"].sum()),
        "left_out": pool.left_out,
    }
