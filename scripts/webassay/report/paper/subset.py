"""The hard subset of the agents at hand; of the paper's own agents too little is public."""

from dataclasses import asdict

import pandas as pd

from webassay.config.schema.analysis import Subset as Defaults
from webassay.errors import WebassayError
from webassay.report.paper.inputs import ORIGINAL, Inputs
from webassay.report.subset.attempts import pool_of
from webassay.report.subset.hard import HardSubset, hard_subset

BENCHMARK = "webarena"


def fitted(inputs: Inputs) -> HardSubset | str:
    """What agents of known success and steps allow, or why they do not."""
    if not inputs.agents:
        return "no agents are given"
    wanted = inputs.settings.judge or ORIGINAL
    judge = wanted if wanted in inputs.agents else next(iter(inputs.agents))
    attempts = pd.concat(inputs.agents[judge].values(), ignore_index=True)
    names = attempts["run_id"].str.rpartition("/")[2]  # an own run is known by its whole path
    try:
        pool = pool_of(attempts.assign(run_id=names), inputs.original, inputs.settings)
        return hard_subset(BENCHMARK, pool, inputs.settings, inputs.backend)
    except WebassayError as error:
        return str(error)


def defaults() -> dict[str, float]:
    """Facts for the ledger: what `analysis.subset` is where nobody sets it."""
    node = asdict(Defaults())
    plain = {key: value for key, value in (node | node["caps"]).items() if isinstance(value, int | float)}
    facts = {f"default.{key}": float(value) for key, value in plain.items()}
    for number, caps in enumerate(node["ablations"], 1):
        facts |= {f"ablation_{number}.{key}": float(value) for key, value in caps.items()}
    return facts
