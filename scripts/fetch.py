"""Bring a dataset or a built site into results/datasets."""

from pathlib import Path

from webassay.benchmarks.dataset import fetch_dataset
from webassay.core.files import write_json
from webassay.stage import stage

with stage(snakemake) as experiment:
    manifest = Path(snakemake.output.manifest)
    write_json(manifest, fetch_dataset(experiment.datasets[snakemake.wildcards.dataset], manifest.parent))
