"""Join the runs of an experiment into its scores, its tables and figures, and the site that shows them."""

from pathlib import Path

import yaml

from webassay.core.files import write_text
from webassay.report.site.build import write_report
from webassay.stage import stage

with stage(snakemake) as experiment:
    write_text(
        Path(snakemake.output.provenance), yaml.safe_dump(experiment.described(snakemake.config), sort_keys=False)
    )
    write_report(experiment, snakemake.config)
