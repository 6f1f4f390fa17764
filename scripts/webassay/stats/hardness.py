"""How hard each task is: the paper's eq. 2, a binomial mixed model with a complementary log-log link.

    P(success of agent a at task t in n steps) = 1 − exp(−exp(log(1+n) + μ − β_t + ξ_t + b_bin(n) + θ_a + δ·I_exh))

ξ_t is the effect of the task's site, category and template; I_exh marks failures that used up their budget. Hardness
is p̂_t, the success of an average agent (θ = 0) in n_ref steps with budget left (I_exh = 0), and π_t, the probability
that it is at most τ_hard. β_t alone is not identified: templates and categories share it.

Priors: μ ~ N(0, 2²) (the paper gives none); b, θ (summing to zero) and δ ~ N(0, 1); β, template, category and site
effects ~ N(0, s²) with s ~ half-normal(1) learnt for each of the four.

δ must not be interpreted: I_exh is set for failures only, so it is a function of the outcome. Nor is n chosen before
the outcome: failed attempts are longer. Both are the paper's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from webassay.errors import WebassayError
from webassay.stats.attempts import Pool
from webassay.stats.laplace import Design, Floats, condition, draw_predictors, find_scales
from webassay.stats.steps import bin_names, bin_of

Codes = NDArray[np.intp]
MU_SCALE, EFFECT_SCALE, SCALE_PRIOR = 2.0, 1.0, 1.0
GROUPINGS = ("template", "category", "site")


@dataclass(frozen=True)
class Draws:
    """What is known of each task's linear predictor at the reference: draws × tasks."""

    eta: Floats

    def share_below(self, bound: float) -> Floats:
        return np.asarray((self.eta <= bound).mean(axis=0))

    def quantile(self, share: float) -> Floats:
        return np.asarray(np.quantile(self.eta, share, axis=0))


@dataclass(frozen=True)
class Term:
    """One part of η: a level for each attempt, and for each task at the reference (−1: it is absent there)."""

    name: str
    levels: tuple[str, ...]
    attempts: Codes
    reference: Codes
    scale: float | None
    """None: learnt."""
    sign: float = 1.0
    sums_to_zero: bool = False

    @property
    def basis(self) -> Floats:
        """From independent coefficients to the levels' effects; with a sum of zero there is one fewer."""
        n = len(self.levels)
        if not self.sums_to_zero:
            return np.eye(n)
        # orthonormal contrasts: the covariance of the effects is s² (I − 1/n), that of a zero-sum normal
        return np.asarray(np.linalg.qr(np.eye(n) - 1 / n)[0][:, : n - 1])

    def columns(self, codes: Codes) -> csr_array:
        present = codes >= 0
        shape = (len(codes), len(self.levels))
        picked = csr_array((np.full(present.sum(), self.sign), (np.flatnonzero(present), codes[present])), shape=shape)
        return csr_array(picked @ self.basis) if self.sums_to_zero else picked


@dataclass(frozen=True)
class Model:
    """Eq. 2 for one pool of attempts, as every backend takes it."""

    success: Floats
    offset: Floats
    n_ref: Floats
    """Of each task, by its site."""
    terms: tuple[Term, ...]
    """The tasks' own come first."""
    notes: tuple[str, ...]
    """What the data could not tell apart and so has no effect of its own."""

    @property
    def reference_offset(self) -> Floats:
        return np.asarray(np.log1p(self.n_ref))


def build_model(pool: Pool, n_ref: pd.DataFrame, bins: Sequence[int], budget: int) -> Model:
    attempts, tasks = pool.attempts, pool.tasks
    at_reference = tasks["site"].map(n_ref.set_index("site")["n_ref"]).to_numpy("float64")
    task = attempts["task"].to_numpy("intp")
    everyone, nobody = np.zeros(len(tasks), "intp"), np.full(len(tasks), -1, "intp")
    agents = pool.agents
    exhausted = np.where(attempts["exhausted"], 0, -1).astype("intp")
    groupings, notes = _groupings(tasks, task)
    terms = [
        Term("task", tuple(tasks["task_id"]), task, np.arange(len(tasks)), None, sign=-1.0),
        Term("mean", ("all",), np.zeros(len(attempts), "intp"), everyone, MU_SCALE),
        *groupings,
        Term(
            "steps",
            bin_names(bins, budget),
            bin_of(attempts["steps"], bins),
            bin_of(at_reference, bins),
            EFFECT_SCALE,
        ),
        Term("exhausted", ("yes",), exhausted, nobody, EFFECT_SCALE),
    ]
    if len(agents) > 1:
        codes = np.searchsorted(agents, attempts["agent"].to_numpy("str"))
        terms.append(Term("agent", tuple(agents), codes, nobody, EFFECT_SCALE, sums_to_zero=True))
    else:
        notes.append("one agent: its ability and the tasks' hardness are one")
    return Model(
        attempts["success"].to_numpy("float64"),
        np.log1p(attempts["steps"].to_numpy("float64")),
        at_reference,
        tuple(terms),
        tuple(notes),
    )


def _groupings(tasks: pd.DataFrame, task: Codes) -> tuple[list[Term], list[str]]:
    """Groups that are all one, or the same as another grouping, would only share an effect that is there already."""
    terms, notes = [], []
    seen: dict[str, Codes] = {"task": np.arange(len(tasks))}
    for name in GROUPINGS:
        # a template over two sites is two: id 42 of WebArena covers map and shopping_admin
        keys = tasks["site"] if name == "site" else tasks["site"] + "/" + tasks[name]
        codes, levels = pd.factorize(keys, sort=True)
        codes = np.asarray(codes, "intp")
        same = next((other for other, found in seen.items() if _same_groups(codes, found)), "")
        if len(levels) == 1 or same:
            notes.append(f"{name}: {f'the same groups as {same}' if same else 'one group'}, so no effect of its own")
            continue
        seen[name] = codes
        terms.append(Term(name, tuple(levels), codes[task], codes, None))
    return terms, notes


def _same_groups(one: Codes, other: Codes) -> bool:
    """Numbered by first appearance, equal groupings have equal codes."""
    return np.array_equal(pd.factorize(one)[0], pd.factorize(other)[0])


def check_informative(model: Model) -> None:
    """Without both outcomes the likelihood has nothing to say on any difference."""
    won = int(model.success.sum())
    if won in (0, len(model.success)):
        what = "failed" if won == 0 else "succeeded"
        raise WebassayError(f"all {len(model.success)} attempts {what}: nothing tells hard tasks from easy ones")


def laplace_posterior(model: Model, rng: np.random.Generator) -> tuple[Draws, dict[str, Any]]:
    """The default backend: seconds, and the same again for the same seed."""
    design = _design(model)
    best, converged = find_scales(design)
    shared = [term.columns(term.reference) for term in model.terms[1:]]
    eta, told = draw_predictors(design, best, csr_array(hstack(shared, format="csr")), model.reference_offset, rng)
    learnt = [term.name for term in model.terms if term.scale is None]
    told |= {
        "scales": dict(zip(learnt, np.exp(best.log_scales).tolist(), strict=True)),
        "coefficients": len(best.effects) + eta.shape[1],
        "gradient_norm": best.gradient_norm,
        "hessian_condition": condition(best.hessian),
        "log_marginal": best.log_marginal,
        "draws": len(eta),
        "converged": converged,
    }
    return Draws(eta), told


def _design(model: Model) -> Design:
    """Attempts are sorted by task, so the place of each in its task is its distance from the first."""
    task = model.terms[0].attempts
    counts = np.bincount(task)
    place = np.arange(len(task)) - np.repeat(counts.cumsum() - counts, counts)
    shape = (len(counts), int(counts.max()))
    cells = np.ravel_multi_index((task, place), shape)
    terms = model.terms[1:]
    learnt = [term.name for term in model.terms if term.scale is None]
    sizes = [term.basis.shape[1] for term in terms]
    columns = hstack([term.columns(term.attempts) for term in terms], format="csr")
    spread = csr_array((np.ones(len(task)), (cells, np.arange(len(task)))), shape=(np.prod(shape), len(task)))
    return Design(
        won=_padded(model.success, cells, shape) > 0,
        present=_padded(np.ones(len(task)), cells, shape) > 0,
        offset=_padded(model.offset, cells, shape),
        rows=csr_array(spread @ columns),
        fixed_scale=np.repeat([np.nan if term.scale is None else term.scale for term in terms], sizes),
        group=np.repeat([learnt.index(term.name) if term.scale is None else -1 for term in terms], sizes),
        prior_scale=SCALE_PRIOR,
    )


def _padded(values: Floats, cells: Codes, shape: tuple[int, int]) -> Floats:
    found = np.zeros(shape)
    found.flat[cells] = values
    return found


def probability(eta: Floats) -> Floats:
    return np.asarray(-np.expm1(-np.exp(eta)))


def hardness_table(pool: Pool, model: Model, posterior: Draws, tau: float) -> pd.DataFrame:
    """One line a task: p̂ (posterior median) with its central 95 % interval, and π."""
    bound = float(np.log(-np.log1p(-tau)))
    counts = pool.attempts.groupby("task").agg(attempts=("success", "size"), successes=("success", "sum"))
    return pool.tasks.assign(
        attempts=counts["attempts"],
        successes=counts["successes"],
        n_ref=model.n_ref,
        p_hat=probability(posterior.quantile(0.5)),
        p_low=probability(posterior.quantile(0.025)),
        p_high=probability(posterior.quantile(0.975)),
        pi=posterior.share_below(bound),
    )
