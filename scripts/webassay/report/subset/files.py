"""What `subset/` holds, for programs and for people."""

from pathlib import Path

from webassay.core.files import write_json, write_text
from webassay.report.drawing import save
from webassay.report.sheet import document
from webassay.report.subset.figures import CAPTIONS, draw
from webassay.report.subset.hard import HardSubset
from webassay.report.subset.sheets import NOTE, readable, subset_sheets
from webassay.report.tables import markdown_table, to_csv


def write_subset(found: HardSubset, folder: Path) -> None:
    """`subset.json` last: it says that the rest is there."""
    tables = {
        "hardness": found.selected,
        "categories": found.categories,
        "sites": found.sites,
        "validation": found.validation,
        "ablations": found.ablations,
        "ecdf": found.ecdf,
    }
    for name, table in tables.items():
        write_text(folder / f"{name}.csv", to_csv(table))
    write_text(folder / "validation.md", validation_markdown(found))
    write_json(folder / "diagnostics.json", found.diagnostics)
    sheets = subset_sheets(found)
    for sheet in sheets.values():
        sheet.write(folder / "tables")
    for name, figure in draw(found).items():
        save(figure, folder / "figures", name)
    write_text(folder / "subset.tex", document(found.subset.description, sheets, CAPTIONS))
    write_json(folder / "subset.json", found.subset.record())


def validation_markdown(found: HardSubset) -> str:
    parts = [
        markdown_table("The subset against its pool", readable(found.validation), NOTE),
        markdown_table("By site", readable(found.sites), "n_ref: the steps at which a site's tasks are compared."),
        markdown_table("Under other caps", readable(found.ablations), "The first line is the selection."),
    ]
    return "\n".join(parts)
