"""Compare the labels of judges and people: tables, corrections, figures."""

from pathlib import Path

from webassay.core.files import write_bytes, write_text
from webassay.report.agreement.figures import coverage_figure, kappa_figure
from webassay.report.agreement.readable import latex, markdown
from webassay.report.agreement.sources import labels_of, ratings_of
from webassay.report.agreement.tables import Agreement
from webassay.report.drawing import rendered
from webassay.report.tables import to_csv
from webassay.stage import stage
from webassay.stats.labels import labels_csv

with stage(snakemake) as experiment:
    labels = labels_of(experiment)
    found = Agreement(ratings_of(labels, experiment.analysis), experiment.analysis)
    write_text(Path(snakemake.output.labels), labels_csv(labels))
    write_text(Path(snakemake.output.confusion), to_csv(found.tables["confusion"]))
    for path in map(Path, snakemake.output.tables):
        write_text(path, to_csv(found.tables[path.stem]))
    for path in map(Path, snakemake.output.texts):
        write_text(path, markdown(path.stem, found))
    for path in map(Path, snakemake.output.latex):
        write_text(path, latex(path.stem, found))
    target = experiment.analysis["agreement"]["target"]
    figures = {
        "kappa": kappa_figure(found.tables["pairs"]),
        "coverage": coverage_figure(found.tables["coverage"], target),
    }
    for path in map(Path, [*snakemake.output.figures, *snakemake.output.drawings]):
        write_bytes(path, rendered(figures[path.stem], path.suffix[1:]))
