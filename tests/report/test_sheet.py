"""A table in three forms, whatever stands in its cells."""

import pandas as pd
import pytest

from tests.report.latex import check_structure
from webassay.report.sheet import Sheet, escaped

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


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a_b & 5 %", r"a\_b \& 5 \%"),
        ("3 ± 1", r"3 $\pm$ 1"),
        ("−2 < τ", r"$-$2 $<$ $\tau$"),
        ("\\x{y}", r"\textbackslash{}x\{y\}"),
        ("a\r\nb", "a b"),
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
