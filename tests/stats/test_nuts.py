"""The backend `numpyro`, and how near the default comes to it."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.stats.pools import SETTINGS, model_of, simulated
from webassay.core.python_environment import python_with
from webassay.errors import WebassayError
from webassay.report.subset.hard import NUMPYRO_LOCK
from webassay.stats.hardness import hardness_table, laplace_posterior
from webassay.stats.nuts import nuts_posterior
from webassay.stats.subset import select


def test_an_environment_without_numpyro_is_an_error_with_the_way_out() -> None:
    model = model_of(simulated(0, tasks=10, agents=3)[1])
    with pytest.raises(WebassayError, match=r"No module named 'jax'; analysis\.backend=laplace needs no sampler"):
        nuts_posterior(model, Path(sys.executable), 0)


@pytest.mark.slow
def test_a_lock_that_cannot_be_installed_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "nothing.lock"
    lock.write_text("no-such-package-of-ours==1.0 --hash=sha256:" + "0" * 64)
    with pytest.raises(WebassayError, match=r"nothing could not be installed: .* says"):
        python_with(lock, tmp_path / "environment")


@pytest.mark.slow
def test_laplace_chooses_as_nuts_does(tmp_path: Path) -> None:
    try:
        python = python_with(NUMPYRO_LOCK, tmp_path / "numpyro")
    except WebassayError as error:
        pytest.skip(str(error))
    _, pool = simulated(11, tasks=240, agents=8)
    model = model_of(pool)
    sampled, told = nuts_posterior(model, python, 0)
    assert told["r_hat_max"] <= 1.01 and told["ess_min"] >= 400, told
    assert told["divergences"] <= 0.01 * told["chains"] * told["draws"], told
    drawn, _ = laplace_posterior(model, np.random.default_rng(0))
    tables = [select(hardness_table(pool, model, draws, 0.2), SETTINGS.caps) for draws in (drawn, sampled)]
    assert np.corrcoef(*(table["p_hat"] for table in tables))[0, 1] >= 0.999
    ours, theirs = (set(table.loc[table["selected"], "task_id"]) for table in tables)
    assert len(ours & theirs) >= 0.97 * len(theirs)
