"""From an experiment's labels to its tables, by the way that the rule takes; published figures come out exactly."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.judge_data import expected, judge_data
from tests.report.latex import check_structure
from tests.report.test_health import experiment
from tests.stats.synthetic_labels import write_annotations
from webassay.config.experiment import plan_experiment
from webassay.errors import ConfigError, LabelsError
from webassay.report.agreement.figures import coverage_figure, kappa_figure
from webassay.report.agreement.pairs import BY_LABEL, MACRO, WEIGHTED
from webassay.report.agreement.readable import TEXTS, latex, markdown
from webassay.report.agreement.sources import labels_of, labels_of_scores, margins, ratings_of
from webassay.report.agreement.tables import Agreement
from webassay.report.drawing import rendered
from webassay.stats.labels import labels_csv, read_labels

NAMES = {
    "agreement": "agreement",
    "cohen_kappa": "kappa",
    "gwet_ac1": "ac1",
    "krippendorff_alpha_nominal": "alpha",
    "pabak": "pabak",
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "specificity": "specificity",
    "npv": "npv",
}
"""What expected.json calls them, and our columns."""
CONVENTIONS = {
    "published_300": 'analysis.agreement.missing=failure analysis.agreement.failure=[failure,"not executable"]',
    "judged_only": 'analysis.agreement.failure=[failure,"not executable"]',
    "judged_and_executable": 'analysis.agreement.excluded=["not executable"]',
}
AGENTS = {"agente": "Agent-E", "claude_computer_use_3.5": "Claude_Computer_Use_3.5"}


def analyse(overrides: str) -> Agreement:
    experiment = plan_experiment("single", f"analysis.agreement.resamples=100 {overrides}")
    return Agreement(ratings_of(labels_of(experiment), experiment.analysis), experiment.analysis)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def om2w(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Agreement]:
    folder = judge_data() / "om2w"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("om2w"))
        return {name: analyse(f"analysis.labels=om2w:{folder} {words}") for name, words in CONVENTIONS.items()}


@pytest.fixture(scope="module")
def arb(tmp_path_factory: pytest.TempPathFactory) -> Agreement:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("arb"))
        return analyse(f"analysis.labels=arb:{judge_data() / 'arb' / 'trajectories_verdicts.jsonl.gz'}")


def line(table: pd.DataFrame, **wanted: str) -> dict[str, Any]:
    rows = table[np.logical_and.reduce([table[name] == value for name, value in wanted.items()])]
    (row,) = rows.to_dict("records")
    return row


def differing(row: dict[str, Any], figures: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Figures that are not ours after rounding to the four digits that are given; null is None, with a reason."""
    ours = {name: None if pd.isna(row[column]) else round(row[column], 4) for name, column in NAMES.items()}
    unexplained = [name for name, column in NAMES.items() if ours[name] is None and not row[f"{column}_note"]]
    assert not unexplained and row["n"] == figures["n"]
    return {name: (ours[name], figures[name]) for name in NAMES if ours[name] != figures[name]}


def test_all_figures_of_online_mind2web_come_out_exactly(om2w: dict[str, Agreement]) -> None:
    for key, figures in expected("om2w").items():
        agent, judge, convention, level = key.split("|")
        split, stratum = ("agent", AGENTS[agent]) if level == "all" else ("agent_level", f"{AGENTS[agent]}, {level}")
        table = om2w[convention].tables["strata"]
        row = line(table, rater=f"webjudge_{judge}", other="human", split=split, stratum=stratum)
        assert differing(row, figures) == {}, key


def test_all_figures_of_agent_reward_bench_come_out_exactly(arb: Agreement) -> None:
    for key, figures in expected("arb").items():
        benchmark, agent, judge = key.split("|")
        wanted = {"rater": "majority of 3 judges" if judge == "majority3" else judge, "other": "human"}
        if (benchmark, agent) == ("all_in_part", "all"):
            row = line(arb.tables["pairs"], **wanted)
        else:
            split = {"all_in_part": "agent"}.get(benchmark, "benchmark" if agent == "all" else "benchmark_agent")
            stratum = {"agent": agent, "benchmark": benchmark, "benchmark_agent": f"{benchmark}, {agent}"}[split]
            row = line(arb.tables["strata"], split=split, stratum=stratum, **wanted)
        assert differing(row, figures) == {}, key


def test_two_judges_who_agree_are_right_more_often_than_either(om2w: dict[str, Agreement]) -> None:
    table = om2w["published_300"].tables["coverage"].set_index("rater")
    consensus = table.loc["consensus of 2 judges"]
    assert 0.83 <= consensus["coverage"] <= 0.873 and 0.931 <= consensus["accuracy"] <= 0.94
    assert table.loc["webjudge_o4-mini", "coverage"] == 1 and table.loc["webjudge_o4-mini", "accuracy"] < 0.88


def test_what_judges_missed_is_counted_whatever_it_counts_as(om2w: dict[str, Agreement]) -> None:
    for found, counted in (("published_300", 600), ("judged_only", 599)):
        row = line(om2w[found].tables["pairs"], rater="webjudge_gpt4o", other="human")
        assert (row["n"], row["missing"], row["missing_other"]) == (counted, 1, 0)


def test_confusion_holds_every_item_that_is_counted(arb: Agreement) -> None:
    sums = arb.tables["confusion"].groupby(["rater", "other"])["items"].sum()
    assert set(sums) == {520} and len(sums) == 7


KAPPAS = {"shop": 0.9, "forum": 0.7, "wiki": 0.5}


def test_an_audit_of_two_annotators_has_the_kappas_it_was_made_with(tmp_path: Path) -> None:
    write_annotations(tmp_path / "audit.csv", KAPPAS, 1500, np.random.default_rng(1))
    (tmp_path / "book.yaml").write_text(
        'name: audit\ncategories: {wrong: {definition: The reference is wrong., values: ["yes", "no"]}}\n'
    )
    found = analyse("analysis.labels=audit.csv analysis.codebook=book.yaml")
    table = found.tables["strata"]
    rows = {row["stratum"]: row for row in table.to_dict("records")}
    for site, kappa in KAPPAS.items():
        assert rows[site]["kappa"] == pytest.approx(kappa, abs=0.05) and rows[site]["n"] == 1500
        assert rows[site]["kappa_low"] < rows[site]["kappa"] < rows[site]["kappa_high"]
    mean = np.mean([rows[site]["kappa"] for site in KAPPAS])
    assert [rows[MACRO]["kappa"], rows[WEIGHTED]["kappa"]] == pytest.approx([mean, mean])
    assert set(table["category"]) == {"wrong"} and found.tables["correction"].empty


def test_of_several_labels_each_has_a_kappa_against_the_rest(tmp_path: Path) -> None:
    rows = [("a", "a"), ("a", "a"), ("b", "c"), ("b", "b"), ("c", "c"), ("c", "b")]
    lines = [f"t{at},{name},{label}" for at, pair in enumerate(rows) for name, label in zip("xy", pair, strict=True)]
    (tmp_path / "labels.csv").write_text("\n".join(["task_id,annotator,label", *lines]))
    table = analyse("analysis.labels=labels.csv analysis.agreement.success=[]").tables["strata"]
    by_label = table[table["split"] == BY_LABEL].set_index("stratum")
    assert by_label.loc["a", "kappa"] == 1 and by_label.loc["b", "kappa"] == pytest.approx(0.25)
    assert by_label.loc[MACRO, "kappa"] == pytest.approx((1 + 0.25 + 0.25) / 3)


def test_a_share_of_human_labels_corrects_the_rate_of_all_items(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(400) < 0.4
    said = np.where(rng.random(400) < 0.85, truth, ~truth).astype(int)
    lines = [f"t{at},gpt,{label},judge" for at, label in enumerate(said)]
    lines += [f"t{at},ada,{int(truth[at])},human" for at in rng.choice(400, 80, replace=False)]
    (tmp_path / "labels.csv").write_text("\n".join(["item,rater,label,kind", *lines]))
    table = analyse("analysis.labels=labels.csv").tables["correction"].set_index("method")
    assert table.loc["judge alone", "estimate"] == pytest.approx(said.mean())
    for method in ("human labels alone", "difference estimator", "Rogan–Gladen"):
        assert table.loc[method, "low"] < truth.mean() < table.loc[method, "high"]
    spread = table["high"] - table["low"]
    assert spread["difference estimator"] < spread["human labels alone"]
    assert table.loc["difference estimator", ["items", "labelled"]].tolist() == [400, 80]


def test_labels_of_what_no_judge_judged_are_told_to_be_left_out(tmp_path: Path) -> None:
    lines = [f"t{at},gpt,{'' if at < 3 else at % 2},judge\nt{at},ada,{at % 2},human" for at in range(12)]
    (tmp_path / "labels.csv").write_text("\n".join(["item,rater,label,kind", *lines]))
    table = analyse("analysis.labels=labels.csv").tables["correction"]
    assert set(table["items"]) == {9} and len(table)
    assert all("3 human labels of items without a verdict are left out" in said for said in table["warnings"])


def test_one_rater_more_moves_nobody_s_interval(tmp_path: Path) -> None:
    text = "item,rater,label\n" + "".join(
        f"t{at},{name},{at % 3 % 2 ^ (at == 5)}\n" for at in range(9) for name in "ab"
    )
    text = text.replace("t4,b,1", "t4,b,0")
    (tmp_path / "two.csv").write_text(text)
    (tmp_path / "three.csv").write_text(text + "".join(f"t{at},c,{at % 2}\n" for at in range(9)))
    two, three = (analyse(f"analysis.labels={name}.csv").tables["pairs"].iloc[0] for name in ("two", "three"))
    assert two.equals(three) and not pd.isna(two["kappa_low"])


@pytest.mark.parametrize("name", TEXTS)
def test_people_see_kappa_and_ac1_wherever_they_see_agreement(arb: Agreement, name: str) -> None:
    text = markdown(name, arb)
    assert "nan" not in text and "None" not in text
    if "agreement  " in text or "accuracy" in text:
        assert "Cohen κ" in text and "Gwet AC1" in text


def test_what_there_is_not_is_said_and_not_drawn(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,rater,label\nt,a,1\nt,b,1\n")
    found = analyse("analysis.labels=labels.csv")
    (row,) = found.tables["pairs"].to_dict("records")
    assert row["kappa"] is None and row["kappa_note"] == "both gave one and the same label to every item"
    assert "n/a" in markdown("pairs", found) and row["kappa_note"] in markdown("pairs", found)
    assert latex("strata", found).startswith("% Agreement within strata. Nothing to show")
    for name in ("strata", "mcnemar", "correction", "coverage"):
        assert found.tables[name].empty and "Nothing to show" in markdown(name, found)
    assert rendered(kappa_figure(found.tables["pairs"]), "png")[:4] == b"\x89PNG"
    assert rendered(coverage_figure(found.tables["coverage"], 0.9), "pdf")[:4] == b"%PDF"


def test_kappas_of_strata_and_their_means_are_also_latex(arb: Agreement) -> None:
    text = latex("strata", arb)
    check_structure(text)
    assert "mean, strata alike" in text and "mean, by items" in text and r"Cohen $\kappa$" in text


def test_names_are_text_wherever_they_are_shown(tmp_path: Path) -> None:
    names = ["<b>|x", "$\\frac{", "100%_&#"]
    lines = [f't{at},"{name}",{int(at > 3)}' for at in range(8) for name in names]
    (tmp_path / "labels.csv").write_text("\n".join(["item,rater,label", *lines]))
    found = analyse("analysis.labels=labels.csv")
    assert "<b>" not in markdown("pairs", found) and r"&lt;b&gt;\|x" in markdown("pairs", found)
    assert r"100\%\_\&\#" in latex("pairs", found)
    assert rendered(kappa_figure(found.tables["pairs"]), "pdf")[:4] == b"%PDF"


@pytest.mark.parametrize("form", ["pdf", "png"])
def test_the_same_tables_give_the_same_bytes(arb: Agreement, form: str) -> None:
    for draw in (lambda: kappa_figure(arb.tables["pairs"]), lambda: coverage_figure(arb.tables["coverage"], 0.9)):
        assert rendered(draw(), form) == rendered(draw(), form)


def scores(*rows: tuple[str, str, float | None], judge: str = "paper") -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["task_id", "eval_hash", "score"])
    fixed = {"judge": judge, "run": "r/0", "benchmark": "mini", "template": "t", "system": "s", "sites": "shop"}
    return table.assign(**fixed).astype({"score": float})


def test_verdicts_are_labels_and_ungraded_is_none_of_them() -> None:
    found = labels_of_scores(scores(("a", "h1", 1.0), ("b", "h1", 0.5), ("c", "h1", None)), {("r/0", "h1", "b"): 0.5})
    assert [label.confidence for label in found] == [None, 0.5, None]
    assert [(label.item, label.label) for label in found] == [
        ("r/0/a", "success"),
        ("r/0/b", "failure"),
        ("r/0/c", ""),
    ]
    assert {label.rater for label in found} == {"paper"} and found[0].cluster == "mini/t"


def test_a_judge_that_votes_is_as_sure_as_its_votes_agree() -> None:
    found = {task: margin for (_, _, task), margin in margins(experiment("judge.votes=3")).items()}
    assert found == {"won": 1.0, "lost": pytest.approx(1 / 3), "torn": 0.0}


def test_the_labels_that_were_used_can_be_used_again(tmp_path: Path, arb: Agreement) -> None:
    (tmp_path / "labels.csv").write_text("item,rater,label,kind\nt,a,1,judge\nt,b,1,human\n")
    labels = labels_of(plan_experiment("single", "analysis.labels=labels.csv"))
    assert labels_csv(labels) == (tmp_path / "labels.csv").read_text()
    assert [label.kind for label in read_labels(tmp_path / "labels.csv")] == ["judge", "human"]


@pytest.mark.parametrize(
    "overrides, message",
    [
        ("analysis.labels=none.csv", "analysis.labels: there is no file none.csv"),
        ("analysis.labels=om2w:none", "needs human_label.json and webjudge_"),
        ("analysis.codebook=book.yaml", "analysis.codebook without analysis.labels"),
        ("analysis.agreement.resamples=3", "must be between 100"),
    ],
)
def test_a_slip_is_told_at_planning(overrides: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan_experiment("single", overrides)


def test_labels_of_another_scale_are_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,rater,label\nt,a,1\nt,b,5\n")
    with pytest.raises(LabelsError, match=r"labels.csv, line 3: unknown label '5'.*analysis.agreement.success=\[\]"):
        analyse("analysis.labels=labels.csv")


def test_the_content_of_a_labels_file_moves_the_folder_and_its_name_does_not(tmp_path: Path) -> None:
    for name, text in {"a.csv": "x", "b.csv": "x", "c.csv": "y"}.items():
        (tmp_path / name).write_text(text)
    a, b, c = (plan_experiment("single", f"analysis.labels={name}.csv") for name in "abc")
    assert a.folder == b.folder != c.folder and a.runs[0].run == c.runs[0].run
    assert a.folder != plan_experiment("single", "analysis.labels=a.csv analysis.agreement.missing=failure").folder


def test_an_experiment_s_own_scores_are_read_where_no_file_is_named_or_both_are_asked(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("x")
    scores = plan_experiment("single").runs[0].scores
    assert plan_experiment("single").label_files == [scores]
    named = plan_experiment("single", "analysis.labels=labels.csv")
    assert named.label_files == [Path("labels.csv")]
    both = plan_experiment("single", "analysis.labels=labels.csv analysis.agreement.with_scores=true")
    assert both.label_files == [Path("labels.csv"), scores]
