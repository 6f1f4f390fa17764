"""The numerics: derivatives against differences, integrals against brute force, no overflow anywhere."""

import numpy as np
import pytest
from scipy.integrate import quad

from tests.stats.pools import model_of, simulated
from webassay.stats.hardness import _design
from webassay.stats.laplace import Design, find_mode, integrate_own, success_slopes


@pytest.fixture(scope="module")
def design() -> Design:
    return _design(model_of(simulated(3, tasks=20, agents=4)[1]))


@pytest.mark.parametrize("eta", [-25.0, -12.0, -9.3, -3.0, 0.0, 1.5, 3.0])
def test_slopes_are_derivatives(eta: float) -> None:
    step = 1e-5 * max(1.0, abs(eta))
    around = np.exp(np.array([eta - step, eta, eta + step]))
    value, first, second = success_slopes(around)
    assert first[1] == pytest.approx((value[2] - value[0]) / (2 * step), rel=1e-5, abs=1e-12)
    assert second[1] == pytest.approx((first[2] - first[0]) / (2 * step), rel=1e-4, abs=1e-9)
    assert second[1] <= 0


def test_certainty_and_impossibility_stay_finite() -> None:
    found = success_slopes(np.array([0.0, 1e-300, 1e-8, 1.0, 700.0, 1e13]))
    assert np.isfinite(found).all()
    assert found[0][-1] == 0.0


def test_own_effects_are_integrated_exactly(design: Design) -> None:
    effects = 0.3 * np.random.default_rng(0).standard_normal(len(design.group))
    eta = design.offset + (design.rows @ effects).reshape(design.offset.shape)
    scale, task = 0.8, 0

    def density(beta: float) -> float:
        hazard = np.exp(eta[task] - beta)
        likelihood = np.where(design.won[task], -np.expm1(-hazard), np.exp(-hazard))[design.present[task]].prod()
        return float(likelihood * np.exp(-0.5 * (beta / scale) ** 2) / scale / np.sqrt(2 * np.pi))

    alone = Design(
        design.won[:1],
        design.present[:1],
        design.offset[:1],
        design.rows[: design.offset.shape[1]],
        design.fixed_scale,
        design.group,
        1.0,
    )
    assert integrate_own(alone, effects, scale).value == pytest.approx(np.log(quad(density, -8, 8)[0]), abs=1e-5)


def test_derivatives_after_integration_are_right(design: Design) -> None:
    rng = np.random.default_rng(1)
    effects, along = (0.3 * rng.standard_normal(len(design.group)) for _ in range(2))
    step = 1e-4
    ends = [integrate_own(design, effects + sign * step * along, 0.7) for sign in (1, -1)]
    here = integrate_own(design, effects, 0.7)
    moved = (design.rows @ along).reshape(design.offset.shape)
    assert (here.first * moved).sum() == pytest.approx((ends[0].value - ends[1].value) / (2 * step), rel=1e-5)
    bent = np.einsum("ti,tij,tj->", moved, here.curvature, moved)
    slopes = [(end.first * moved).sum() for end in ends]
    assert bent == pytest.approx(-(slopes[0] - slopes[1]) / (2 * step), rel=1e-5)


def test_newton_arrives_from_far_away(design: Design) -> None:
    scales = np.log(np.full(design.learnt, 0.5))
    near = find_mode(design, scales, np.zeros(len(design.group)))
    far = find_mode(design, scales, np.full(len(design.group), 2.0))
    assert near.effects == pytest.approx(far.effects, abs=1e-4)
    assert near.log_marginal == pytest.approx(far.log_marginal, abs=1e-5)
