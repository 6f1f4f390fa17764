"""Tables and figures of what happened in the runs of an experiment."""

from pathlib import Path

from webassay.report.analysis.analysis import analyze
from webassay.report.analysis.places import planned_places
from webassay.stage import stage

with stage(snakemake) as experiment:
    analyze(planned_places(experiment)).write(Path(snakemake.output.trajectories).parent)
