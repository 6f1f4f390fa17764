"""The backend `numpyro`: the same model sampled by NUTS, as the paper does; minutes instead of seconds."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from webassay.core.processes import child_environment
from webassay.errors import WebassayError
from webassay.stats.hardness import SCALE_PRIOR, Draws, Model

PROGRAM = Path(__file__).with_name("nuts_process.py")
CHAINS, TUNE, DRAWS = 4, 1000, 2000
R_HAT_MOST = 1.01
"""The paper's bound; above it `converged` is false."""


def nuts_posterior(model: Model, python: Path, seed: int) -> tuple[Draws, dict[str, Any]]:
    """`python` is that of an environment with numpyro (envs/numpyro.lock)."""
    with tempfile.TemporaryDirectory(prefix="webassay-nuts-") as folder:
        source, target = Path(folder) / "model.npz", Path(folder) / "draws.npz"
        np.savez(source, **_arrays(model))
        program = [str(python), "-I", str(PROGRAM), str(source), str(target)]
        numbers = [str(number) for number in (seed, CHAINS, TUNE, DRAWS)]
        done = subprocess.run(
            [*program, *numbers],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=child_environment() | {"JAX_PLATFORMS": "cpu"},
        )
        if done.returncode:
            said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            raise WebassayError(f"sampling by numpyro failed: {said[-1]}; analysis.backend=laplace needs no sampler")
        with np.load(target, allow_pickle=False) as kept:
            told: dict[str, Any] = json.loads(str(kept["told"]))
            draws = Draws(kept["eta"])
    told["converged"] = told["divergences"] == 0 and told["r_hat_max"] <= R_HAT_MOST
    return draws, told


def _arrays(model: Model) -> dict[str, Any]:
    terms = [
        {
            "name": term.name,
            "scale": term.scale,
            "scale_prior": SCALE_PRIOR,
            "sign": term.sign,
            "coefficients": term.basis.shape[1],
        }
        for term in model.terms
    ]
    arrays: dict[str, Any] = {
        "success": model.success,
        "offset": model.offset,
        "reference_offset": model.reference_offset,
    }
    for term in model.terms:
        arrays |= {f"{term.name}_attempts": term.attempts, f"{term.name}_reference": term.reference}
        arrays |= {f"{term.name}_basis": term.basis} if term.sums_to_zero else {}
    return {**arrays, "terms": np.array(json.dumps(terms))}
