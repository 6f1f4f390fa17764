"""Laplace / empirical Bayes for a binary model with a complementary log-log link and Gaussian effects.

    y_i ~ Bernoulli(1 − exp(−H_i)),  H_i = exp(η_i),  η_i = offset_i + x_i z − β_t(i)
    β_t ~ N(0, s²),  z_j ~ N(0, s_j²)

A task has few attempts, so what they tell of its own effect β_t is far from Gaussian: one that nobody has passed may
be much harder than its mode says. So β is integrated exactly, on a grid, and only the effects z that many attempts
share are taken as Gaussian around their mode. (With β Gaussian too, 95 % intervals held 93 % of the truths of
simulated data, and nearly all that they missed lay below them.)

Scales that are not known are learnt: log s has the posterior that the approximation gives, with a half-normal prior on
s, and is drawn around its mode, by how likely it is. So the draws of a posterior are: scales, then z, then each β.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, eigvalsh, solve_triangular
from scipy.optimize import minimize
from scipy.sparse import bsr_array, csr_array

from webassay.errors import WebassayError

Floats = NDArray[np.float64]
ETA_MOST = 30.0
"""exp(30) trials are certain and exp(−30) are none; beyond, only overflow would be gained."""
NEWTON_STEPS, NEWTON_GRADIENT = 100, 1e-5
LOG_SCALES = (-5.0, 2.5)
START_SCALE = 0.5
SLOPE_STEP, HESSIAN_STEP = 1e-3, 0.15
SCALE_DRAWS, EFFECT_DRAWS, OWN_DRAWS = 32, 512, 8
"""Scales; effects z, shared out among the scales; own effects of the tasks, for each z."""
WIDEN = 1.2
"""Scales are drawn a little wider than the Hessian says; their weights take it back."""
WIDEST = 1.5
"""No direction of the log-scales is drawn wider than this: a flat one has no Hessian to speak of."""
GRID_REACH = 6.0


@dataclass(frozen=True)
class Design:
    """The data as tasks × attempts, padded to the task with the most; which columns of X share a scale."""

    won: NDArray[np.bool_]
    present: NDArray[np.bool_]
    offset: Floats
    rows: csr_array
    """X: one row for each cell of the arrays above, empty where there is no attempt."""
    fixed_scale: Floats
    """Of each column; NaN where it is learnt."""
    group: NDArray[np.intp]
    """Of each column: the number of its learnt scale, or −1. Number 0 is that of the tasks' own effects."""
    prior_scale: float
    """Of the half-normal prior of each learnt scale."""

    @property
    def learnt(self) -> int:
        return max(1, int(self.group.max(initial=0)) + 1)

    def precision(self, log_scales: Floats) -> Floats:
        learnt = np.exp(log_scales)[self.group]
        scale = np.where(self.group < 0, self.fixed_scale, learnt)
        return np.asarray(scale**-2.0)

    def hazard(self, effects: Floats) -> Floats:
        """H of each cell with β = 0."""
        eta = self.offset + (self.rows @ effects).reshape(self.offset.shape)
        return np.asarray(np.exp(np.clip(eta, -ETA_MOST, ETA_MOST)) * self.present)

    def grid(self, scale: float, finer: float = 1.0) -> Floats:
        """Values of β at steps of its least possible posterior deviation, where sums are as good as integrals."""
        most = self.present.sum(axis=1).max()
        least = 1 / np.sqrt(scale**-2.0 + 0.65 * most)  # 0.65: the most that one attempt can tell, at H ≈ 1.6
        half = int(np.ceil(GRID_REACH * scale / least * finer))
        return np.asarray(np.linspace(-GRID_REACH * scale, GRID_REACH * scale, 2 * half + 1))


def success_slopes(hazard: Floats) -> tuple[Floats, Floats, Floats]:
    """log(1 − exp(−H)) and its two derivatives by η = log H; of a failure, whose term is −H, all three are −H.

    As log(−expm1(−H)), which keeps its digits for small H; a difference that cancels there comes from its series.
    """
    hazard = np.maximum(hazard, np.exp(-2 * ETA_MOST))
    with np.errstate(over="ignore"):
        ratio = hazard / np.expm1(hazard)
    bend = np.where(hazard < 1e-4, -hazard / 2 - hazard**2 / 12, 1 - hazard - ratio)
    return np.log(-np.expm1(-hazard)), ratio, ratio * bend


def log_prior(grid: Floats, scale: float) -> Floats:
    """Of each value of β, with the width of its step."""
    step = grid[1] - grid[0]
    return np.asarray(np.log(step / scale / np.sqrt(2 * np.pi)) - 0.5 * (grid / scale) ** 2)


@dataclass(frozen=True)
class Integrated:
    """The log-likelihood with all β integrated out, and its derivatives by the attempts' shared part of η."""

    value: float
    first: Floats
    curvature: NDArray[np.float64]
    """Of each task: minus the second derivatives, attempts × attempts."""


def integrate_own(design: Design, effects: Floats, scale: float) -> Integrated:
    grid = design.grid(scale)
    hazard = design.hazard(effects)[:, :, None] * np.exp(-grid)
    values, firsts, seconds = -hazard, -hazard, -hazard
    values[design.won], firsts[design.won], seconds[design.won] = success_slopes(hazard[design.won])
    joint = values.sum(axis=1) + log_prior(grid, scale)
    most = joint.max(axis=1, keepdims=True)
    weight = np.exp(joint - most)
    total = weight.sum(axis=1, keepdims=True)
    weight = (weight / total)[:, None, :]
    first = (weight * firsts).sum(axis=2)
    centred = (firsts - first[:, :, None]) * np.sqrt(weight)
    curvature = -(centred @ centred.transpose(0, 2, 1))
    each = np.arange(curvature.shape[1])
    curvature[:, each, each] -= (weight * seconds).sum(axis=2)
    return Integrated(float((np.log(total) + most).sum()), first, curvature)


@dataclass(frozen=True)
class Mode:
    """The most likely shared effects under given scales."""

    effects: Floats
    log_scales: Floats
    log_marginal: float
    """Laplace's, with the prior of the scales, up to a constant."""
    gradient_norm: float
    hessian: Floats

    @cached_property
    def factor(self) -> Floats:
        return np.asarray(np.linalg.cholesky(self.hessian))


def find_mode(design: Design, log_scales: Floats, start: Floats) -> Mode:
    """Newton with halved steps; the log-posterior is concave, so failing to arrive is an error and no answer."""
    precision = design.precision(log_scales)
    scale = float(np.exp(log_scales[0]))
    effects, here = start, integrate_own(design, start, scale)
    value = here.value - 0.5 * float((precision * effects**2).sum())
    norm = np.inf
    for _ in range(NEWTON_STEPS):
        gradient = design.rows.T @ here.first.ravel() - precision * effects
        hessian = _hessian(design, here.curvature, precision)
        norm = float(np.abs(gradient).max())
        if norm < NEWTON_GRADIENT:
            marginal = value + 0.5 * (np.log(precision).sum() - np.linalg.slogdet(hessian)[1])
            return Mode(effects, log_scales, float(marginal + _scale_prior(design, log_scales)), norm, hessian)
        step = cho_solve(cho_factor(hessian), gradient)
        for halving in range(30):
            tried = effects + step / 2**halving
            there = integrate_own(design, tried, scale)
            reached = there.value - 0.5 * float((precision * tried**2).sum())
            if reached >= value - 1e-9 * abs(value):
                break
        effects, here, value = tried, there, reached
    raise WebassayError(
        f"the hardness model did not converge: after {NEWTON_STEPS} Newton steps the gradient is still {norm:.2g}; "
        "analysis.backend=numpyro fits it by sampling"
    )


def _hessian(design: Design, curvature: NDArray[np.float64], precision: Floats) -> Floats:
    tasks, most, _ = curvature.shape
    blocks = bsr_array((curvature, np.arange(tasks), np.arange(tasks + 1)), shape=(tasks * most, tasks * most))
    return np.asarray((design.rows.T @ (blocks @ design.rows)).toarray() + np.diag(precision))


def _scale_prior(design: Design, log_scales: Floats) -> float:
    """Half-normal on the scale, so with a Jacobian on its logarithm: it vanishes at 0 and the mode is inside."""
    scales = np.exp(log_scales)
    return float((log_scales - 0.5 * (scales / design.prior_scale) ** 2).sum())


def find_scales(design: Design) -> tuple[Mode, bool]:
    """The mode of the marginal over the log-scales, and whether the search says that it arrived."""
    effects = np.zeros(len(design.group))

    def objective(log_scales: Floats) -> float:
        nonlocal effects
        mode = find_mode(design, log_scales, effects)
        effects = mode.effects
        return -mode.log_marginal

    start = np.full(design.learnt, np.log(START_SCALE))
    bounds = [LOG_SCALES] * design.learnt
    found = minimize(
        objective, start, method="L-BFGS-B", bounds=bounds, options={"eps": SLOPE_STEP, "gtol": 1e-2, "ftol": 1e-8}
    )
    return find_mode(design, found.x, effects), bool(found.success)


def scale_root(design: Design, best: Mode) -> Floats:
    """A square root of the log-scales' covariance, from the Hessian of the log-marginal by central differences."""
    count = design.learnt
    steps = HESSIAN_STEP * np.eye(count)

    def marginal(shift: Floats) -> float:
        return find_mode(design, best.log_scales + shift, best.effects).log_marginal

    hessian = np.zeros((count, count))
    for i in range(count):
        hessian[i, i] = 2 * best.log_marginal - marginal(steps[i]) - marginal(-steps[i])
        for j in range(i):
            along, across = steps[i] + steps[j], steps[i] - steps[j]
            mixed = marginal(along) + marginal(-along) - marginal(across) - marginal(-across)
            hessian[i, j] = hessian[j, i] = -mixed / 4
    values, vectors = np.linalg.eigh(hessian / HESSIAN_STEP**2)
    return np.asarray(vectors / np.sqrt(np.maximum(values, WIDEST**-2)))


def draw_predictors(
    design: Design, best: Mode, predictors: csr_array, offset: Floats, rng: np.random.Generator
) -> tuple[Floats, dict[str, Any]]:
    """Draws × tasks of offset + predictors·z − β, the scales drawn in pairs on both sides of their mode."""
    half = rng.standard_normal((SCALE_DRAWS // 2, design.learnt))
    units = np.concatenate([half, -half])
    drawn = np.clip(best.log_scales + WIDEN * units @ scale_root(design, best).T, *LOG_SCALES)
    modes = [find_mode(design, log_scales, best.effects) for log_scales in drawn]
    weights = np.array([mode.log_marginal for mode in modes]) + 0.5 * (units**2).sum(axis=1)
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    # systematic: each scale gets its share of the draws, rounded up or down
    shares = np.searchsorted(weights.cumsum(), (np.arange(EFFECT_DRAWS) + rng.random()) / EFFECT_DRAWS)
    parts = []
    for number, count in zip(*np.unique(np.minimum(shares, len(modes) - 1), return_counts=True), strict=True):
        mode = modes[number]
        own = OwnEffects(design, float(np.exp(mode.log_scales[0])))
        z = solve_triangular(mode.factor, rng.standard_normal((len(mode.effects), count)), lower=True, trans="T")
        for effects in (mode.effects[:, None] + z).T:
            parts.append(offset + predictors @ effects - own.draw(design.hazard(effects), rng))
    return np.concatenate(parts), {"effective_scale_draws": float(1 / (weights**2).sum())}


class OwnEffects:
    """Draws of all β given the shared effects, by inverting their distribution on a fine grid."""

    def __init__(self, design: Design, scale: float) -> None:
        self.grid = design.grid(scale, finer=3.0)
        self.decay = np.exp(-self.grid)
        self.prior = log_prior(self.grid, scale)
        self.won = design.won
        self.tasks = len(self.won)
        number = np.nonzero(self.won)[0]
        self.by_task = csr_array((np.ones(len(number)), (number, np.arange(len(number)))), (self.tasks, len(number)))

    def draw(self, hazard: Floats, rng: np.random.Generator) -> Floats:
        """OWN_DRAWS × tasks, one in each equal part of the distribution."""
        wins = np.log(-np.expm1(-np.maximum(hazard[self.won][:, None] * self.decay, np.exp(-2 * ETA_MOST))))
        losses = np.where(self.won, 0.0, hazard).sum(axis=1)
        joint = self.by_task @ wins - losses[:, None] * self.decay + self.prior
        weight = np.exp(joint - joint.max(axis=1, keepdims=True))
        below = weight.cumsum(axis=1)
        below = (below - weight / 2) / below[:, -1:]
        wanted = (np.arange(OWN_DRAWS)[:, None] + rng.random((OWN_DRAWS, self.tasks))) / OWN_DRAWS
        right = np.clip((below < wanted[:, :, None]).sum(axis=2), 1, len(self.grid) - 1)
        each = np.arange(self.tasks)
        low, high = below[each, right - 1], below[each, right]
        part = np.clip((wanted - low) / np.maximum(high - low, 1e-300), 0, 1)
        return np.asarray(self.grid[right - 1] + part * (self.grid[1] - self.grid[0]))


def condition(matrix: Floats) -> float:
    values = eigvalsh(matrix)
    return float(values[-1] / values[0])
