"""Tables of how far an experiment's judges can be trusted, and of what they cost."""

from pathlib import Path

from webassay.core.files import write_text
from webassay.report.health.tables import health_tables
from webassay.stage import stage

with stage(snakemake) as experiment:
    tables = health_tables(experiment)
    for path in map(Path, snakemake.output.tables):
        table = tables[path.stem]
        write_text(path, table.csv if path.suffix == ".csv" else table.markdown)
