"""The strata that a benchmark's tasks and templates fall into: one for each site, one for what needs several."""

from collections.abc import Sequence

import pandas as pd

MULTI = "multi"


def stratum(sites: Sequence[str]) -> str:
    """Tasks over several sites are a stratum of their own, so that strata add up to the whole (appendix H.1)."""
    return sites[0] if len(sites) == 1 else MULTI


def with_strata(scores: pd.DataFrame) -> pd.DataFrame:
    """`sites` as scores.csv has it, `gitlab+reddit`.

    A template that two sets of sites share (WebArena's 42 does) is one in each stratum, so templates add up too.
    """
    return scores.assign(stratum=[stratum(sites.split("+")) for sites in scores["sites"]])
