"""Make the paper's tables, figures and ledger, and say where they are."""

from webassay.report.paper.write import write_paper
from webassay.stage import stage

with stage(snakemake) as experiment:
    write_paper(experiment.paper)
    print(f"{experiment.paper.folder}: tables/paper_status.md says what regenerates and what does not")
