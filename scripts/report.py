"""Join the runs of an experiment into its scores, its tables and figures, and the site that shows them."""

from pathlib import Path

import yaml

from webassay.core.files import write_text
from webassay.report.site.build import build_site
from webassay.report.tables import join_scores, to_csv
from webassay.stage import stage

with stage(snakemake) as experiment:
    scores = join_scores(plan.scores for plan in experiment.runs)
    write_text(Path(snakemake.output.scores), to_csv(scores))
    write_text(
        Path(snakemake.output.provenance), yaml.safe_dump(experiment.described(snakemake.config), sort_keys=False)
    )
    numbers = build_site(experiment, scores, experiment.folder / "report", snakemake.config)
    numbers.write()
