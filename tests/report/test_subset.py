"""A hard subset's tables and figures, of simulated agents."""

import dataclasses
from pathlib import Path

import msgspec
import pytest

from tests.report.latex import check_structure
from tests.stats.pools import SETTINGS, simulated
from webassay.config.paths import SUBSET_FIGURES, SUBSET_SHEETS
from webassay.report.drawing import rendered
from webassay.report.sheet import Sheet
from webassay.report.subset.figures import CAPTIONS, draw
from webassay.report.subset.files import write_subset
from webassay.report.subset.hard import HardSubset, hard_subset
from webassay.report.subset.sheets import subset_sheets


@pytest.fixture(scope="module")
def found() -> HardSubset:
    settings = msgspec.structs.replace(SETTINGS, bootstrap=20, category_bootstrap=20)
    return hard_subset("simulated", simulated(3, tasks=40, agents=5)[1], settings, "laplace")


@pytest.fixture(scope="module")
def sheets(found: HardSubset) -> dict[str, Sheet]:
    return subset_sheets(found)


def test_every_sheet_that_is_planned_is_made_and_prints_no_unknown_as_a_number(sheets: dict[str, Sheet]) -> None:
    assert tuple(sheets) == SUBSET_SHEETS
    for sheet in sheets.values():
        assert not {"nan", "None", "<NA>"} & set(sheet.shown.map(str).to_numpy().ravel()), sheet.name
        assert "5 agents" in sheet.note
        check_structure(sheet.latex())


def test_shares_follow_from_their_counts(found: HardSubset, sheets: dict[str, Sheet]) -> None:
    line = sheets["table_12"].data.iloc[0]
    taken = found.selected[found.selected["selected"]]
    assert line["hard"] == (taken["p_hat"] <= 0.2).sum() and line["hard_share"] == line["hard"] / len(taken)
    assert sheets["table_12"].shown["p̂ up to τ hard"][0] == f"{line['hard']} ({100 * line['hard_share']:.1f} %)"
    assert sheets["table_10"].data["n"].tolist() == [found.selected["eligible"].sum(), len(taken)]
    assert sheets["table_11"].data["tasks"][0] == len(taken) == sheets["table_7"].data["value"].iloc[-1]


def test_the_replicates_that_are_drawn_are_those_of_the_validation(found: HardSubset) -> None:
    values = found.validation.set_index(["measure", "of"])["value"]
    assert values["mae, bootstrap median", ""] == found.replicates["mae"].median()


def test_every_figure_is_drawn_the_same_each_time(found: HardSubset) -> None:
    figures = draw(found)
    assert tuple(figures) == SUBSET_FIGURES == tuple(CAPTIONS)
    for name, again in draw(found).items():
        assert rendered(figures[name], "pdf") == rendered(again, "pdf")


def test_a_search_that_did_not_arrive_is_told(found: HardSubset) -> None:
    lost = dataclasses.replace(found, diagnostics=found.diagnostics | {"converged": False})
    assert all("did not arrive" in sheet.note for sheet in subset_sheets(lost).values())


def test_the_document_holds_them_all(found: HardSubset, tmp_path: Path) -> None:
    write_subset(found, tmp_path)
    text = (tmp_path / "subset.tex").read_text()
    check_structure(text)
    assert all(rf"\input{{tables/{name}}}" in text for name in SUBSET_SHEETS)
    assert all(f"{{figures/{name}}}" in text for name in SUBSET_FIGURES)
