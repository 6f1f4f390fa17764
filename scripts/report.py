"""Join the runs of an experiment into its scores and its tables."""

from pathlib import Path

import yaml

from webassay.core.files import write_text
from webassay.report.experiment import write_report
from webassay.stage import stage

with stage(snakemake) as experiment:
    write_text(
        Path(snakemake.output.provenance), yaml.safe_dump(experiment.described(snakemake.config), sort_keys=False)
    )
    write_report(experiment)
