"""What `subset/` holds, for programs and for people."""

from pathlib import Path

import pandas as pd

from webassay.core.files import write_json, write_text
from webassay.report.drawing import save
from webassay.report.subset.figures import draw
from webassay.report.subset.hard import HardSubset
from webassay.report.tables import markdown_table, to_csv

NOTE = (
    "Success is the mean over an agent's attempts, as a fraction. τ is Kendall's τ-b between the agents' order on the "
    "pool and on the subset; mae the mean absolute difference of their success, which a subset of hard tasks has by "
    "design. The bootstrap resamples templates, the same ones for pool and subset. `tau without` an agent is of the "
    "others on the same subset. Tasks over several sites are in the subset and in none of these figures. Agents that "
    "the subset was chosen with are no independent test of it."
)


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
    for name, figure in draw(found).items():
        save(figure, folder / "figures", name)
    write_json(folder / "subset.json", found.subset.record())


def validation_markdown(found: HardSubset) -> str:
    parts = [
        markdown_table("The subset against its pool", _readable(found.validation), NOTE),
        markdown_table("By site", _readable(found.sites), "n_ref: the steps at which a site's tasks are compared."),
        markdown_table("Under other caps", _readable(found.ablations), "The first line is the selection."),
    ]
    return "\n".join(parts)


def _readable(table: pd.DataFrame) -> pd.DataFrame:
    shown = table.copy()
    for name in shown.columns:
        if shown[name].dtype.kind in "fO":
            shown[name] = [_number(value) for value in shown[name]]
    return shown


def _number(value: object) -> str:
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return "n/a" if pd.isna(value) else f"{value:.3f}".rstrip("0").rstrip(".")
    return str(value)
