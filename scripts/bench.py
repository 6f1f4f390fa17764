"""Measure speed against its goals: `--config bench_scale=small` tries it out, the default is the real measurement."""

from pathlib import Path

from webassay.bench.suite import measure, scale_named
from webassay.bench.table import write_table
from webassay.stage import stage

with stage(snakemake):
    folder = Path("results/bench")
    rows = list(measure(scale_named(snakemake.config.get("bench_scale", "full")), folder / "work"))
    print(write_table(rows, folder))
