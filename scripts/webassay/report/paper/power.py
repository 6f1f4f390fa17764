"""What benchmarks of these sizes can tell apart: how far two agents must be from each other to be seen to be."""

import pandas as pd

from webassay.benchmarks import audit
from webassay.report.agents import POWER
from webassay.report.agents_table import shown_percent
from webassay.report.paper.group import Group
from webassay.report.paper.inputs import Inputs
from webassay.report.paper.tasks import SITES
from webassay.report.sheet import Sheet
from webassay.stats.power import detectable_paired, detectable_unpaired, implied_spread

PUBLISHED_HALF_WIDTH, PUBLISHED_TEMPLATES = 0.053, 191
"""Of the paper's Table 5, all tasks; the spread behind it is near that of public agents."""


def power_table(inputs: Inputs) -> Group:
    spread = implied_spread(PUBLISHED_HALF_WIDTH, PUBLISHED_TEMPLATES, 0.95)
    strata = audit.templates_by_stratum(inputs.verified)
    hard = [task for task in inputs.verified if task.task_id in inputs.hard]
    sizes = {"all tasks": len(audit.template_ids(inputs.verified)), "hard subset": len(audit.template_ids(hard))}
    data = pd.DataFrame(
        [
            {
                "tasks": name,
                "templates": templates,
                "paired": detectable_paired(templates, spread, inputs.confidence, POWER),
                "unpaired": detectable_unpaired(templates, spread, inputs.confidence, POWER),
            }
            for name, templates in {**sizes, **{site: strata[site] for site in SITES}}.items()
        ]
    )
    shown = data.assign(**{name: [shown_percent(value) for value in data[name]] for name in ("paired", "unpaired")})
    note = (
        f"Percentage points between two agents that {100 * POWER:.0f} of 100 experiments would find at "
        f"{100 * inputs.confidence:g} % confidence. Templates spread by {100 * spread:.1f} points, as the paper's own "
        "interval implies; paired: the two agents correlate by a half over templates, so their differences spread as "
        "far as each of them."
    )
    return Group((Sheet("power", "Differences that can be detected", data, shown.map(str), note),))
