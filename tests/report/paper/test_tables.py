"""The paper's tables from the released tasks and from outcomes: numbers that are known, and nothing that is not."""

import dataclasses
from pathlib import Path

import pandas as pd
import pytest

from tests.released import released
from tests.report.latex import check_structure
from tests.stats.outcomes import public
from tests.stats.pools import SETTINGS
from webassay.benchmarks import audit, webarena, webarena_verified, webarena_verified_hard
from webassay.config.paths import PAPER_AGENTS, PAPER_FIGURES, PAPER_SHEETS
from webassay.errors import ConfigError
from webassay.report.paper.agents import agent_tables, exploration_ratios, paired_comparisons
from webassay.report.paper.inputs import ORIGINAL, VERIFIED, Inputs, published_agents
from webassay.report.paper.missing import item
from webassay.report.paper.write import CAPTIONS, Paper
from webassay.report.sheet import Sheet
from webassay.stats.coverage import Ungraded

CONTRADICTED = [
    ("Appendix D", "506", "340"),
    ("Table 3", "36", "40"),
    ("§1", "100", "60"),
    ("Table 5", "13.8", "7.4"),
    ("Appendix E", "13.8", "1.8"),
    ("Appendix E", "5", "possible: 7.0 to 10.0"),
    ("Table 5", "0.0", "3.5"),
    ("Table 5", "0.0", "4.3"),
    ("Appendix C.2", "41.0", "possible: 19.0 to 28.0"),
]
EXACT = {
    "Table 1": "92 506 36",
    "Table 2": "176 21.7",
    "Table 3": "812 506 118 36",
    "Table 4": "187 56 182 55 180 57 106 42 109 48 48 812 258",
    "§4": "655 19",
    "§5": "191",
    "§1": "68.2",
    "Table 5": "0.0",
    "Table 7": "210 0.20 0.85 3 2 4 30 500 2000 0.90 30",
    "Table 9": "0.317 0.299 0.302 0.396",
    "Table 11": "276 0.25 4 2 0.85 4 0.30 5 3 0.80 4",
    "Table 12": "48.1 16.7",
    "Table 13": "36 5 5 15 0 0 0 11",
    "Table 14": "92 164 176",
}
"""Every row that the facts about the paper mark as exact, in the ledger's order."""


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    """An agent that passes every third task in two runs, and one that passes nothing in five tasks."""
    original = webarena.load(released())
    rows = pd.DataFrame(
        {
            "task_id": [task.task_id for task in original],
            "template": [task.template for task in original],
            "sites": ["+".join(task.sites) for task in original],
            "score": [float(number % 3 == 0) for number in range(len(original))],
            "steps": [float(number % 20) for number in range(len(original))],
            "run_id": "0",
            "budget": float("nan"),
        }
    )
    subset = webarena_verified_hard.read_subset(released() / webarena_verified_hard.MEMBER)
    agents = {
        "third": pd.concat([rows, rows.assign(run_id="1", score=1 - rows["score"])]).assign(agent="third"),
        "never": rows.head(5).assign(score=0.0, steps=None, agent="never"),
    }
    hard = frozenset(map(str, subset.task_ids))
    verified = webarena_verified.load(released())
    return Inputs(original, verified, hard, {ORIGINAL: agents}, 0.95, None, SETTINGS, "laplace")


@pytest.fixture(scope="module")
def sheets(inputs: Inputs) -> dict[str, Sheet]:
    return Paper(inputs).sheets


def shown(sheet: Sheet, column: str) -> dict[str, str]:
    return dict(zip(sheet.shown.iloc[:, 0], sheet.shown[column], strict=True))


def test_every_sheet_that_is_planned_is_made(sheets: dict[str, Sheet]) -> None:
    assert set(sheets) == {*PAPER_SHEETS, *PAPER_AGENTS}


def test_no_sheet_prints_what_is_unknown_as_a_number(sheets: dict[str, Sheet]) -> None:
    for sheet in sheets.values():
        cells = sheet.shown.map(str).to_numpy().ravel()
        assert not {"nan", "None", "<NA>", "NaN"} & set(cells), sheet.name
        assert "± nan" not in sheet.markdown(), sheet.name
        check_structure(sheet.latex())


def test_agents_that_know_nothing(sheets: dict[str, Sheet]) -> None:
    table = sheets["table_13"].data.set_index("agent")
    names = ["na", "yes", "yes_no", "zero", "numbers_only", "empty", "no", "echo_intent", "any of them"]
    assert table.loc[names, "passed"].tolist() == [36, 5, 5, 15, 11, 0, 0, 0, 60]
    assert table.loc[names, "passed_hard"].tolist() == [9, 0, 0, 2, 2, 0, 0, 0, 11]
    assert table.loc["any of them", "passed_verified"] == 0
    assert "24 tasks are undecided and not counted as passed" in sheets["table_13"].note


def test_a_model_that_was_asked_without_a_browser_has_its_rows(inputs: Inputs) -> None:
    vulnerable = sorted(audit.detect(inputs.original)["response_substring"])[:2]
    asked = dataclasses.replace(inputs, agents={}, from_memory={"gpt": frozenset({*vulnerable, "650"})})
    tables = Paper(asked).sheets
    passed = tables["table_13"].data.set_index("agent")["passed"]
    assert (passed["gpt"], passed["any of them"]) == (3, 60)
    assert shown(tables["table_2"], "tasks")["of these passed by gpt, run here"] == "2"
    assert "gpt" in tables["table_16"].shown["agent"].tolist()


def test_all_overlaps_of_detectors_are_in_the_csv(sheets: dict[str, Sheet]) -> None:
    data = sheets["table_14"].data
    names = [name for name in data.columns if name.startswith("with_")]
    matrix = data[names].to_numpy()
    assert (matrix == matrix.T).all() and matrix.diagonal().tolist() == data["tasks"].tolist()
    assert not set(names) & set(sheets["table_14"].shown.columns)


def test_the_ledger_contradicts_what_the_numbers_contradict(sheets: dict[str, Sheet]) -> None:
    ledger = sheets["paper_status"].data
    found = ledger[ledger["verdict"] == "contradicted"]
    assert [tuple(row) for row in found[["item", "paper", "here"]].to_numpy()] == CONTRADICTED
    assert not ledger.duplicated(["item", "what"]).any()


@pytest.mark.parametrize("item, values", EXACT.items())
def test_what_the_facts_call_exact_is_exact(sheets: dict[str, Sheet], item: str, values: str) -> None:
    ledger = sheets["paper_status"].data
    found = ledger[(ledger["item"] == item) & (ledger["verdict"] == "exact")]
    assert found["paper"].tolist() == values.split() and found["rule"].all()


def test_tau_is_neither_confirmed_nor_contradicted_by_itself(sheets: dict[str, Sheet]) -> None:
    ledger = sheets["paper_status"].data
    found = ledger[ledger["paper"].isin(["0.857", "1.000"])]
    assert found["verdict"].tolist() == ["not regenerable"] * 2
    assert all("median of a bootstrap" in remark for remark in found["remark"])


def test_every_table_and_figure_has_a_row_in_the_ledger(sheets: dict[str, Sheet]) -> None:
    items = set(sheets["paper_status"].data["item"])
    numbered = [name for name in (*PAPER_SHEETS, *PAPER_FIGURES) if name[-1].isdigit()]
    assert {item(name) for name in numbered} <= items


def test_what_cannot_be_made_says_what_is_missing(inputs: Inputs) -> None:
    alone = Paper(dataclasses.replace(inputs, agents={}))
    assert set(alone.sheets) == set(PAPER_SHEETS)
    assert set(alone.figures) == set(PAPER_FIGURES) == set(CAPTIONS)
    assert "not published" in alone.figures["figure_5"].axes[0].texts[0].get_text().replace("\n", " ")
    table = alone.sheets["table_12"].shown
    assert table["paper"].tolist() == ["48.1", "16.7"] and set(table["verdict"]) == {"exact"}


def test_too_few_agents_for_a_hard_subset_are_told(sheets: dict[str, Sheet]) -> None:
    assert "Not fitted here: no task has been attempted by 4 agents" in sheets["table_8"].note


def test_headline_rows_name_what_was_not_run(sheets: dict[str, Sheet]) -> None:
    assert shown(sheets["table_5"], "original, hard")["naive, “N/A”"] == "4.4 ± 3.6 (T=114)"
    assert shown(sheets["table_5"], "verified")["naive, any of them"] == "0.0 ± 0.0 (T=190)"
    assert shown(sheets["table_5"], "verified")["third"] == "n/a (no runs)"
    assert shown(sheets["table_5"], "original")["third"] == "50.0 ± 0.0 (T=190)"
    assert shown(sheets["table_5"], "original")["never"].endswith("[5/812]")
    assert "where all of T=114 are 0 or all 100, the true rate may still be 2.6 points away" in sheets["table_5"].note


def test_steps_that_nobody_knows_are_left_out_and_counted(sheets: dict[str, Sheet]) -> None:
    table = sheets["figure_2"].data.set_index("agent")
    assert table.loc["never", "attempts_left_out"] == 5 and pd.isna(table.loc["never", "median_achievable"])
    assert table.loc["third", "unachievable"] == 72


@pytest.mark.parametrize("ungraded, macro", [("failed", 0.5), ("left_out", 1.0)])
def test_an_attempt_that_nobody_judged_counts_as_the_key_says_and_was_not_judged(
    inputs: Inputs, tmp_path: Path, ungraded: Ungraded, macro: float
) -> None:
    path = tmp_path / "outcomes.csv"
    path.write_text("agent,task_id,success\nx,0,1\nx,1,\n")
    given = dataclasses.replace(inputs, agents={ORIGINAL: published_agents(path, inputs.original, ungraded)})
    tables = {sheet.name: sheet for sheet in agent_tables(given, paired_comparisons(given)).sheets}
    assert tables["figure_13"].data["success"].tolist() == [macro]
    assert tables["figure_13"].shown["coverage"].tolist() == ["1/812"]
    assert tables["table_6"].data["attempted"].sum() == 1


def test_sites_add_up(sheets: dict[str, Sheet]) -> None:
    assert sheets["table_4"].data["tasks"].tolist() == [187, 182, 180, 106, 109, 48, 812]


def test_both_harnesses_stand_side_by_side(inputs: Inputs) -> None:
    agents = dict(inputs.agents[ORIGINAL])
    both = dataclasses.replace(inputs, agents={ORIGINAL: agents, VERIFIED: {"third": agents["third"].head(812)}})
    tables = {sheet.name: sheet for sheet in agent_tables(both, paired_comparisons(both)).sheets}
    assert tables["figure_13"].shown["judge"].tolist() == [ORIGINAL, ORIGINAL, VERIFIED]
    assert set(exploration_ratios(both)) == {"third (webarena)", "never (webarena)", "third (verified)"}


def test_an_anchor_that_nobody_is_is_refused(inputs: Inputs) -> None:
    with pytest.raises(ConfigError, match="no such agent; there are third, never"):
        paired_comparisons(dataclasses.replace(inputs, anchor="operator"))


def test_public_agents_beside_each_other(inputs: Inputs) -> None:
    agents = published_agents(public(), inputs.original, "failed")
    real = dataclasses.replace(inputs, agents={ORIGINAL: agents})
    comparison = paired_comparisons(real)[ORIGINAL]
    assert comparison.anchor == "colorbrowseragent"
    tables = {sheet.name: sheet for sheet in agent_tables(real, {ORIGINAL: comparison}).sheets}
    line = tables["figure_13"].shown.set_index("agent").loc["jace"]
    assert (line["coverage"], line["− anchor"]) == ("810/812", "−14.6 ± 5.6 (T=190) ▼")
    explored = tables["figure_2"].data.set_index("agent")
    assert explored.loc["colorbrowseragent", ["unachievable", "explored"]].tolist() == [36, 35]
    assert explored.loc["jace", "attempts_left_out"] == 810
    descriptive = tables["full_and_hard"].data.set_index("agent")
    assert descriptive.loc["jace", "templates"] == 114 and descriptive.loc["jace", "hard"] == pytest.approx(
        0.3256, abs=1e-4
    )
