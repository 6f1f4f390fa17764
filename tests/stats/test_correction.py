"""Corrected success rates: the formulas, what the published figures say of them, and how often the intervals hold."""

import numpy as np
import pytest

from webassay.stats.correction import (
    AT_RANDOM,
    CARRIED_OVER,
    CENSUS,
    UNIFORM,
    ErrorRates,
    difference_estimate,
    labels_alone,
    rogan_gladen,
)

OM2W = {
    "o4-mini": [(69, 21, 23, 187), (62, 19, 22, 197), (68, 10, 22, 200), (60, 12, 27, 201)],
    "gpt4o": [(87, 32, 5, 176), (75, 28, 9, 188), (78, 39, 12, 171), (77, 25, 10, 188)],
}
"""TP, FP, FN, TN of four agents on Online-Mind2Web's 300 tasks (SeeAct, Agent-E, Browser Use, Claude 3.5)."""


def test_on_the_items_that_its_error_rates_come_from_it_gives_their_own_rate() -> None:
    found = rogan_gladen(81, 300, ErrorRates(62, 19, 22, 197), 0.95, carried_over=False)
    assert found.value == pytest.approx(84 / 300) and found.warnings == ()
    assert found.low is not None and found.high is not None and found.low < 0.28 < found.high


@pytest.mark.parametrize("judge, raw, carried", [("gpt4o", 7.3, 3.4), ("o4-mini", 2.7, 3.6)])
def test_error_rates_of_other_agents_may_help_or_harm(judge: str, raw: float, carried: float) -> None:
    """The published verdicts: carried over, they halve one judge's error and raise the other's."""
    errors = []
    for left_out, own in enumerate(OM2W[judge]):
        others = np.sum([counts for at, counts in enumerate(OM2W[judge]) if at != left_out], axis=0)
        truth, passed = (own[0] + own[2]) / 300, own[0] + own[1]
        found = rogan_gladen(passed, 300, ErrorRates(*others.tolist()), 0.95, carried_over=True)
        assert found.value is not None and CARRIED_OVER in found.warnings
        errors.append((abs(passed / 300 - truth), abs(found.value - truth)))
    assert 100 * np.mean(errors, axis=0) == pytest.approx([raw, carried], abs=0.05)


@pytest.mark.parametrize(
    "known, warning",
    [
        (ErrorRates(5, 5, 5, 5), "hardly better than chance"),
        (ErrorRates(1, 9, 0, 1), "hardly better than chance"),
        (ErrorRates(9, 0, 1, 0), "human successes as well as failures"),
        (ErrorRates(0, 0, 0, 9), "human successes as well as failures"),
    ],
)
def test_error_rates_that_say_nothing_give_nothing(known: ErrorRates, warning: str) -> None:
    found = rogan_gladen(3, 10, known, 0.95, carried_over=False)
    assert found.value is None and found.low is None and warning in found.warnings[0]


def test_a_rate_outside_its_bounds_is_cut_and_said_to_be() -> None:
    found = rogan_gladen(0, 100, ErrorRates(40, 10, 10, 40), 0.95, carried_over=False)
    assert found.value == 0 and any("outside" in warning for warning in found.warnings)


def test_the_interval_of_rogan_and_gladen_holds_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(5), 0
    for _ in range(600):
        passed = rng.binomial(400, 0.3 * 0.8 + 0.7 * 0.1)
        tp, fp = rng.binomial(80, 0.8), rng.binomial(120, 0.1)
        found = rogan_gladen(int(passed), 400, ErrorRates(tp, fp, 80 - tp, 120 - fp), 0.95, carried_over=False)
        assert found.low is not None and found.high is not None
        held += found.low <= 0.3 <= found.high
    assert 0.93 <= held / 600 <= 0.98


def population(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """300 tasks with a judge as good as Agent-E's under o4-mini."""
    truth = np.repeat([1.0, 1.0, 0.0, 0.0], [62, 22, 19, 197])
    verdict = np.repeat([1.0, 0.0, 1.0, 0.0], [62, 22, 19, 197])
    order = rng.permutation(300)
    return truth[order], verdict[order]


def test_a_few_labels_and_all_verdicts_are_narrower_than_the_labels_and_hold() -> None:
    rng = np.random.default_rng(11)
    truth, verdict = population(rng)
    widths, held, alone = [], 0, []
    for _ in range(1000):
        chosen = rng.choice(300, 60, replace=False)
        found = difference_estimate(verdict, chosen, truth[chosen], 0.95)
        plain = labels_alone(300, truth[chosen], 0.95)
        assert found.low is not None and found.high is not None and plain.low is not None and plain.high is not None
        widths.append(found.high - found.low)
        alone.append(plain.high - plain.low)
        held += found.low <= 0.28 <= found.high
    assert 0.90 <= held / 1000 <= 0.97
    assert 0.137 <= np.mean(widths) <= 0.159 and 0.203 <= np.mean(alone) <= 0.209


def test_the_estimate_is_the_regression_estimator() -> None:
    verdict = np.array([1, 1, 0, 0, 1, 0, 1, 1], float)
    labels, chosen = np.array([1, 0, 0, 1], float), np.array([0, 1, 2, 3])
    slope = np.polyfit(verdict[chosen], labels, 1)[0]
    found = difference_estimate(verdict, chosen, labels, 0.95)
    assert found.value == pytest.approx(labels.mean() + slope * (verdict.mean() - verdict[chosen].mean()))


def test_a_census_leaves_nothing_to_estimate() -> None:
    truth, verdict = population(np.random.default_rng(0))
    found = difference_estimate(verdict, np.arange(300), truth, 0.95)
    assert (found.value, found.low, found.high, found.warnings) == (0.28, 0.28, 0.28, (CENSUS,))


def test_verdicts_that_are_all_alike_add_nothing_to_the_labels() -> None:
    labels = np.array([1, 0, 0, 1, 0], float)
    found = difference_estimate(np.ones(50), np.arange(5), labels, 0.95)
    assert found.value == pytest.approx(labels.mean())
    assert AT_RANDOM in found.warnings and any("add nothing" in warning for warning in found.warnings)


def test_labels_that_are_all_alike_show_no_spread_and_that_is_said() -> None:
    assert UNIFORM in labels_alone(50, np.ones(10), 0.95).warnings
    assert UNIFORM in difference_estimate(np.ones(50), np.arange(10), np.ones(10), 0.95).warnings


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_labels_give_no_estimate(count: int) -> None:
    found = difference_estimate(np.ones(9), np.arange(count), np.ones(count), 0.95)
    assert found.value is None and found.warnings
