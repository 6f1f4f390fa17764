"""Tables of how far an experiment's judges can be trusted, and of what they cost."""

from pathlib import Path

from webassay.core.files import write_text
from webassay.report.health.tables import health_tables
from webassay.stage import stage

with stage(snakemake) as experiment:
    tables = health_tables(experiment)
    for path in map(Path, snakemake.output.tables):
        write_text(path, tables[path.stem].csv)
    for path in map(Path, snakemake.output.texts):
        write_text(path, tables[path.stem].markdown)
