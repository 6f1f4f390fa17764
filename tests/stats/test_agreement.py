"""Each statistic against published examples and other people's code, and what must hold of any table."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa

from tests.stats.synthetic_labels import annotators
from webassay.stats.agreement import (
    AGAINST_REFERENCE,
    CHANCE_CORRECTED,
    NO_ITEMS,
    Array,
    Statistic,
    cohen_kappa,
    coincidences,
    estimate,
    f1,
    gwet_ac1,
    krippendorff_alpha,
    mcnemar_exact,
    mean_kappa,
    npv,
    observed,
    pabak,
    pair_alpha,
    precision,
    recall,
    specificity,
    tabulate,
)
from webassay.stats.resampling import Drawn, Estimate, Resampling, draw

HOW = Resampling(0.95, 500)
STATISTICS = {statistic.name: statistic for statistic in (*CHANCE_CORRECTED, *AGAINST_REFERENCE)}
counts_of = st.integers(2, 4).flatmap(lambda q: arrays(np.int64, (q, q), elements=st.integers(0, 40)))


def table(*rows: tuple[int, ...]) -> Array:
    return np.array(rows, float)


def random_table(seed: int, size: int) -> Array:
    return np.random.default_rng(seed).integers(1, 40, (size, size)).astype(float)


def items_of(counts: Array) -> Array:
    """One table for each item."""
    first, second = np.indices(counts.shape).reshape(2, -1).repeat(counts.ravel().astype(int), axis=1)
    return tabulate(first, second, len(counts))


def test_the_textbook_example_of_kappa() -> None:
    assert cohen_kappa(table((15, 10), (5, 20))) == pytest.approx(0.4)


def test_gwet_s_example_of_the_paradox() -> None:
    """118 of 125 agree and kappa is below 0 (Gwet 2002)."""
    paradox = table((0, 2), (5, 118))
    assert observed(paradox) == pytest.approx(0.944)
    assert cohen_kappa(paradox) == pytest.approx(-0.0234, abs=1e-4)
    assert gwet_ac1(paradox) == pytest.approx(0.9408, abs=1e-4)
    assert pabak(paradox) == pytest.approx(2 * 0.944 - 1)


OBSERVERS = ("123321412***", "1233224125*3", "*3332342251*", "12332441251*")


def test_krippendorff_s_own_example() -> None:
    """Four observers of twelve units, with gaps (Krippendorff 2011, section C)."""
    codes = np.array([[-1 if cell == "*" else int(cell) - 1 for cell in row] for row in OBSERVERS]).T
    assert krippendorff_alpha(coincidences(codes, 5).sum(0)) == pytest.approx(0.743, abs=5e-4)


@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_kappa_is_that_of_statsmodels(seed: int, size: int) -> None:
    counts = random_table(seed, size)
    assert cohen_kappa(counts) == pytest.approx(cohens_kappa(counts).kappa)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_of_many_raters_with_gaps_is_that_of_krippendorff(seed: int) -> None:
    codes = np.random.default_rng(seed).integers(-1, 3, (40, 5))
    given = np.where(codes < 0, np.nan, codes).T
    assert krippendorff_alpha(coincidences(codes, 3).sum(0)) == pytest.approx(
        krippendorff.alpha(given, level_of_measurement="nominal")
    )


@pytest.mark.parametrize("seed", range(3))
def test_alpha_of_a_pair_is_alpha_of_two_raters(seed: int) -> None:
    codes = np.random.default_rng(seed).integers(-1, 3, (60, 2))
    counts = tabulate(codes[:, 0], codes[:, 1], 3).sum(0)
    both = codes[(codes >= 0).all(1)]
    assert pair_alpha(counts) == pytest.approx(krippendorff_alpha(coincidences(both, 3).sum(0)))


@pytest.mark.parametrize("one, other", [(3, 9), (0, 5), (7, 7), (1, 0)])
def test_mcnemar_is_that_of_statsmodels(one: int, other: int) -> None:
    assert mcnemar_exact(one, other) == pytest.approx(mcnemar([[4, one], [other, 2]], exact=True).pvalue)


def test_without_discordant_items_nothing_speaks_for_either() -> None:
    assert mcnemar_exact(0, 0) == 1


def test_against_a_reference() -> None:
    counts = table((197, 22), (19, 62))  # Agent-E before o4-mini
    found = [float(statistic(counts)) for statistic in (precision, recall, f1, specificity, npv)]
    assert found == pytest.approx([62 / 81, 62 / 84, 2 * 62 / (2 * 62 + 19 + 22), 197 / 216, 197 / 219])


@pytest.mark.parametrize(
    "counts, undefined",
    [
        (table((9, 0), (0, 0)), {"kappa", "alpha", "precision", "recall", "f1"}),
        (table((0, 0), (0, 9)), {"kappa", "alpha", "specificity", "npv"}),
        (table((5, 3), (0, 0)), {"precision", "f1"}),
        (table((5, 0), (3, 0)), {"recall", "f1"}),
        (table((5, 1), (3, 0)), {"f1"}),
        (table((0, 0), (0, 0)), set(STATISTICS)),
    ],
)
def test_what_is_undefined_is_none_with_a_reason(counts: Array, undefined: set[str]) -> None:
    found = {name: estimate(statistic, Drawn(counts, counts[None][:0], 0.95)) for name, statistic in STATISTICS.items()}
    assert {name for name, one in found.items() if one.value is None} == undefined
    assert all(found[name].reason for name in undefined)


@given(counts_of)
@pytest.mark.parametrize("statistic", CHANCE_CORRECTED, ids=lambda statistic: statistic.name)
def test_neither_rater_comes_first_and_labels_have_no_names(statistic: Statistic, counts: Array) -> None:
    value, renamed = statistic.of(counts), statistic.of(counts[::-1, ::-1])
    assert statistic.of(counts.T) == pytest.approx(value, nan_ok=True)
    assert renamed == pytest.approx(value, nan_ok=True)
    assert np.isnan(value) or -1.0001 * len(counts) <= value <= 1.0001


@given(counts_of)
def test_full_agreement_is_one_wherever_it_is_defined(counts: Array) -> None:
    agreed = np.diag(np.diag(counts))
    values = [statistic.of(agreed) for statistic in CHANCE_CORRECTED]
    assert all(np.isnan(value) or value == pytest.approx(1) for value in values)


@given(counts_of)
def test_a_stack_of_tables_gives_what_each_gives_alone(counts: Array) -> None:
    for statistic in CHANCE_CORRECTED:
        assert statistic.of(np.stack([counts, counts.T]))[0] == pytest.approx(statistic.of(counts), nan_ok=True)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("name", [statistic.name for statistic in CHANCE_CORRECTED])
def test_the_interval_holds_the_value_and_the_same_numbers_give_the_same_interval(name: str, size: int) -> None:
    tables = items_of(random_table(1, size))
    found = [interval(name, tables, np.arange(len(tables)), seed) for seed in (3, 3, 4)]
    assert found[0].low is not None and found[0].value is not None and found[0].high is not None
    assert found[0].low < found[0].value < found[0].high
    assert found[0] == found[1] != found[2]


def interval(name: str, tables: Array, clusters: np.ndarray, seed: int = 0) -> Estimate:
    return estimate(STATISTICS[name], draw(tables, clusters, HOW, np.random.default_rng(seed)))


def width(found: Estimate) -> float:
    assert found.low is not None and found.high is not None
    return found.high - found.low


def test_items_seen_twice_in_one_cluster_tell_nothing_new() -> None:
    tables = items_of(table((30, 10), (5, 25)))
    alone, numbers = interval("kappa", tables, np.arange(70)), np.arange(70)
    assert interval("kappa", np.repeat(tables, 2, 0), np.repeat(numbers, 2)) == alone
    assert width(interval("kappa", np.repeat(tables, 2, 0), np.arange(140))) < 0.85 * width(alone)


@pytest.mark.parametrize(
    "counts, clusters, reason",
    [
        (table((9, 0), (0, 9)), np.arange(18), "too uniform"),
        (table((5, 3), (2, 9)), np.zeros(19, int), "one cluster"),
        (table((8, 1), (0, 0)), np.arange(9), "undefined in more than 5%"),
    ],
)
def test_no_interval_where_resampling_shows_none(counts: Array, clusters: np.ndarray, reason: str) -> None:
    found = interval("kappa", items_of(counts), clusters)
    assert found.value is not None and found.low is None and reason in found.reason


def test_an_empty_table_has_no_value() -> None:
    assert interval("kappa", np.zeros((4, 2, 2)), np.arange(4)) == Estimate(None, reason=NO_ITEMS)


@pytest.mark.parametrize("kappa", [0.0, 0.4, 0.83])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.2, 0.8), (0.6, 0.3, 0.1)])
def test_a_known_kappa_is_found(kappa: float, shares: tuple[float, ...]) -> None:
    first, second = annotators(kappa, 4000, shares, np.random.default_rng(7))
    found = interval("kappa", tabulate(first, second, len(shares)), np.arange(4000))
    assert found.low is not None and found.high is not None
    assert found.low - 0.01 < kappa < found.high + 0.01 and width(found) < 0.08


def test_both_means_of_kappa_and_a_stratum_without_one() -> None:
    half, full, none = table((15, 10), (5, 20)), table((10, 0), (0, 40)), table((7, 0), (0, 0))
    means = mean_kappa([half, 3 * full, none])
    assert means == {"macro": pytest.approx(0.7), "weighted": pytest.approx((50 * 0.4 + 150 * 1.0) / 200)}
    assert mean_kappa([none]) == {"macro": None, "weighted": None}
