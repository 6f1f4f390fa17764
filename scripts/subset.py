"""Choose the hard tasks of a benchmark, and write down how, how well and from what."""

from pathlib import Path

from webassay.report.subset.attempts import pooled
from webassay.report.subset.files import write_subset
from webassay.report.subset.hard import hard_subset
from webassay.stage import stage
from webassay.stats.subset import settings_of

with stage(snakemake) as experiment:
    run = experiment.runs[0]
    settings = settings_of(run.config["analysis"]["subset"])
    pool = pooled(experiment, settings)
    found = hard_subset(run.columns["benchmark"], pool, settings, run.config["analysis"]["backend"])
    write_subset(found, Path(snakemake.output.subset).parent)
    print(found.subset.description)
