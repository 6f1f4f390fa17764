"""Eq. 2 by NUTS, in a process of its own: run by name of file, by the Python of an environment that has numpyro.

    python nuts_process.py MODEL.npz DRAWS.npz SEED CHAINS TUNE DRAWS

MODEL.npz is what stats/nuts.py wrote: the outcomes and, for each term, the level of every attempt. Nothing of webassay
is imported here. Group effects are non-centred; what is kept of the draws is each task's linear predictor at the
reference.
"""

import json
import sys
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.diagnostics import effective_sample_size, split_gelman_rubin
from numpyro.infer import MCMC, NUTS, init_to_uniform

TARGET_ACCEPT = 0.9
START_RADIUS = 0.1
"""Every effect starts near 0: numpyro's own radius of 2 puts their sums where the likelihood is a cliff."""


def main() -> None:
    source, target, *numbers = sys.argv[1:]
    seed, chains, tune, draws = map(int, numbers)
    numpyro.set_host_device_count(min(2, chains))
    jax.config.update("jax_enable_x64", True)
    data: dict[str, Any] = dict(np.load(source, allow_pickle=False))
    terms = json.loads(str(data.pop("terms")))
    started = time.process_time()
    sampler = MCMC(
        NUTS(eq2, target_accept_prob=TARGET_ACCEPT, init_strategy=init_to_uniform(radius=START_RADIUS)),
        num_warmup=tune,
        num_samples=draws,
        num_chains=chains,
        chain_method="vectorized",
        progress_bar=False,
    )
    sampler.run(jax.random.PRNGKey(seed), terms, data, extra_fields=("diverging",))
    samples = sampler.get_samples(group_by_chain=True)
    predictors = jax.vmap(jax.vmap(lambda one: reference(one, terms, data)))(samples)
    told = diagnostics(samples | {"eta": predictors}, sampler.get_extra_fields()["diverging"])
    told |= {"chains": chains, "tune": tune, "draws": draws, "cpu_seconds": time.process_time() - started}
    told |= {"versions": {"jax": jax.__version__, "numpyro": numpyro.__version__}}
    np.savez(target, eta=np.asarray(predictors).reshape(chains * draws, -1), told=json.dumps(told))


def eq2(terms: list[dict[str, Any]], data: dict[str, Any]) -> None:
    raw = {}
    for term in terms:
        name = term["name"]
        raw[name] = numpyro.sample(name, dist.Normal(0.0, 1.0).expand([term["coefficients"]]).to_event(1))
        if term["scale"] is None:
            raw[f"s_{name}"] = numpyro.sample(f"s_{name}", dist.HalfNormal(term["scale_prior"]))
    eta = data["offset"] + added(raw, terms, data, "attempts")
    hazard = jnp.exp(jnp.clip(eta, -30.0, 30.0))
    won = data["success"]
    numpyro.factor("outcomes", jnp.sum(won * jnp.log(-jnp.expm1(-hazard)) - (1 - won) * hazard))


def reference(raw: dict[str, Any], terms: list[dict[str, Any]], data: dict[str, Any]) -> Any:
    return data["reference_offset"] + added(raw, terms, data, "reference")


def added(raw: dict[str, Any], terms: list[dict[str, Any]], data: dict[str, Any], where: str) -> Any:
    """The sum of all effects; a level of −1 is an effect that is absent."""
    total: Any = 0.0
    for term in terms:
        name = term["name"]
        scale = raw[f"s_{name}"] if term["scale"] is None else term["scale"]
        basis = data.get(f"{name}_basis")
        effects = scale * (raw[name] if basis is None else basis @ raw[name])
        codes = data[f"{name}_{where}"]
        total = total + term["sign"] * jnp.where(codes >= 0, effects[codes], 0.0)
    return total


def diagnostics(samples: dict[str, Any], diverging: Any) -> dict[str, Any]:
    """R̂ and ESS of everything sampled and of the predictors, and whose are the worst."""
    r_hat = {name: float(np.max(split_gelman_rubin(np.asarray(value)))) for name, value in samples.items()}
    size = {name: float(np.min(effective_sample_size(np.asarray(value)))) for name, value in samples.items()}
    return {
        "divergences": int(np.sum(np.asarray(diverging))),
        "r_hat_max": max(r_hat.values()),
        "r_hat_worst": max(r_hat, key=lambda name: r_hat[name]),
        "ess_min": min(size.values()),
        "ess_worst": min(size, key=lambda name: size[name]),
        "r_hat_eta": r_hat["eta"],
        "ess_eta": size["eta"],
        "scales": {
            name.removeprefix("s_"): float(np.median(value)) for name, value in samples.items() if name.startswith("s_")
        },
    }


if __name__ == "__main__":
    main()
