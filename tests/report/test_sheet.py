"""A table in three forms, whatever stands in its cells."""

import re

import pandas as pd
import pytest

from tests.report.latex import check_structure
from webassay.report.drawing import drawable
from webassay.report.sheet import LINE, Sheet, document, escaped

HOSTILE = ["[x] 50 % | _a_", "*b* & $1 #2 {q} ~^\\", "line\nbreak\x07", "<i> κ ± −3 “q” \\input{/etc/passwd}"]


def sheet(rows: int) -> Sheet:
    data = pd.DataFrame({"agent_name": (HOSTILE * rows)[:rows], "n": [None] * rows})
    return Sheet("table_1", "T & 1", data, data.assign(n="n/a"), "50 % of them")


@pytest.mark.parametrize("rows", [1, 4, 60])
def test_latex_closes_what_it_opens_and_takes_no_text_for_a_command(rows: int) -> None:
    text = sheet(rows).latex()
    check_structure(text)
    assert r"\input" not in text and ("longtable}" in text) == (rows == 60)
    assert r"\toprule" in text and r"\bottomrule" in text


def test_a_long_table_breaks_lines_and_no_words() -> None:
    data = pd.DataFrame({"a": ["many words " * 9] * 60, "verdict": ["contradicted"] * 60, "b": ["and more " * 9] * 60})
    shares = [float(share) for share in re.findall(r"p\{([\d.]+)", Sheet("t", "T", data, data, "").latex())]
    assert len(shares) == 3 and sum(shares) <= 0.81 and shares[1] * LINE / 0.8 >= 0.9 * len("contradicted")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a_b & 5 %", r"a\_b \& 5 \%"),
        ("3 ± 1", r"3 $\pm$ 1"),
        ("−2 < τ", r"$-$2 $<$ $\tau$"),
        ("\\x{y}", r"\textbackslash{}x\{y\}"),
        ("a\r\nb", "a b"),
        ("Zoë’s p̂ ≥ 1", r"Zoë’s $\hat{p}$ $\geq$ 1"),
        ("Zoe\N{COMBINING DIAERESIS}", "Zoë"),
        ("γ☆жエ", "U+03B3U+2606U+0436U+30A8"),
    ],
)
def test_escaping(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_markdown_keeps_its_columns_and_says_what_is_unknown() -> None:
    lines = sheet(4).markdown().splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 4
    assert all(line.replace(r"\|", "").count("|") == 3 for line in table)
    assert "nan" not in sheet(4).markdown().lower().replace("n/a", "")


def test_csv_has_empty_cells_for_what_is_unknown() -> None:
    assert sheet(1).csv().splitlines() == ["agent_name,n", "[x] 50 % | _a_,"]


def test_a_figure_fits_on_its_page_and_has_a_caption() -> None:
    text = document("T", [], {"figure_2": "Figure 2: 50 % of γ"})
    check_structure(text)
    assert "height=0.9\\textheight,keepaspectratio" in text
    assert r"\caption{Figure 2: 50 \% of U+03B3}\label{fig:figure_2}" in text


def test_no_more_floats_wait_than_latex_holds() -> None:
    text = document("T", [f"t{n}" for n in range(30)], {})
    assert max(part.count("input") for part in text.split("clearpage")) <= 18


def test_a_name_is_drawn_without_empty_boxes() -> None:
    assert drawable("Zoë γ エ") == "Zoë γ U+30A8"
