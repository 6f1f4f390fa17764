"""A table in its three forms: CSV for programs, Markdown for people, LaTeX (booktabs) for papers."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from webassay.core.files import write_text
from webassay.report.letters import T1, spelled
from webassay.report.tables import markdown_table, to_csv

FORMS = ("csv", "md", "tex")
PACKAGES = r"\usepackage{booktabs,graphicx,amssymb,longtable,array}"
WITHIN_A_PAGE = r"width=\linewidth,height=0.9\textheight,keepaspectratio"
LONG = 35  # rows
WAITING = 12  # floats
LINE = 88
"""Letters in a line of a long table, between its columns."""
SYMBOLS = {
    "±": r"$\pm$",
    "−": "$-$",
    "▲": r"$\blacktriangle$",
    "▼": r"$\blacktriangledown$",
    "<": "$<$",
    ">": "$>$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∪": r"$\cup$",
    "→": r"$\rightarrow$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "τ": r"$\tau$",
    "π": r"$\pi$",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "–": "--",
    "⊂": r"$\subset$",
    "p\N{COMBINING CIRCUMFLEX ACCENT}": r"$\hat{p}$",
    "\N{COMBINING CIRCUMFLEX ACCENT}": "",
}
"""What pdfLaTeX has no letter for in its usual fonts."""
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {character: "\\" + character for character in "&%$#_{}"} | SYMBOLS
_SPECIAL = re.compile("|".join(map(re.escape, sorted(SPECIAL, key=len, reverse=True))))
_KNOWN = T1 | {ord(letter) for word in SYMBOLS for letter in word}


@dataclass(frozen=True)
class Sheet:
    name: str
    """Of the files: `table_4`."""
    title: str
    data: pd.DataFrame
    """Full precision; what is unknown is an empty cell."""
    shown: pd.DataFrame
    """Texts; what is unknown says so."""
    note: str

    def csv(self) -> str:
        return to_csv(self.data)

    def markdown(self) -> str:
        plain = self.shown.map(_cell).rename(columns=_cell)
        return markdown_table(self.title, plain, self.note)

    def latex(self) -> str:
        """To `\\input`: a float, as wide as the text where it is wider by itself; over pages where it is long."""
        caption = rf"\caption{{{escaped(self.title)}. {escaped(self.note)}}}\label{{tab:{self.name}}}"
        if len(self.shown) > LONG:
            start, *rows = self._tabular(_shares(self.shown), "longtable")
            # floats that wait would come after it
            body = [
                r"\clearpage",
                r"{\scriptsize\setlength{\LTcapwidth}{\linewidth}",
                start,
                caption + r"\\",
                *rows,
                "}",
            ]
        else:
            rows = self._tabular("l" * self.shown.shape[1], None)
            fitted = [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", *rows, "}"]
            body = [r"\begin{table}[htbp]", r"\centering", caption, *fitted, r"\end{table}"]
        return "\n".join([f"% {PACKAGES}", *body, ""])

    def _tabular(self, columns: str, environment: str | None) -> list[str]:
        """Lines from `\\begin` to `\\end`."""
        plain = self.shown.map(lambda cell: escaped(str(cell))).rename(columns=lambda name: escaped(str(name)))
        text = plain.style.hide(axis="index").to_latex(hrules=True, column_format=columns, environment=environment)
        # after a line break, LaTeX would take a bracket or a star for an option of the break
        return ["{}" + row if row[:1] in ("[", "*") else row for row in text.rstrip().splitlines()]

    def write(self, folder: Path) -> None:
        texts = {"csv": self.csv, "md": self.markdown, "tex": self.latex}
        for form in FORMS:
            write_text(folder / f"{self.name}.{form}", texts[form]())


def document(title: str, sheets: Iterable[str], figures: Mapping[str, str]) -> str:
    """A LaTeX document of all tables and figures (name -> caption), which compiles where it lies."""
    inputs = [rf"\input{{tables/{name}}}" for name in sheets]
    images = [
        rf"\begin{{figure}}[htbp]\centering\includegraphics[{WITHIN_A_PAGE}]{{figures/{name}}}"
        rf"\caption{{{escaped(caption)}}}\label{{fig:{name}}}\end{{figure}}"
        for name, caption in figures.items()
    ]
    head = [
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[margin=2cm]{geometry}",
        r"\usepackage[labelformat=empty]{caption}",  # titles have numbers of their own, where they have any
        PACKAGES,
        r"\begin{document}",
        rf"\section*{{{escaped(title)}}}",
    ]
    return "\n".join([*head, *_flushed(inputs), r"\clearpage", *_flushed(images), r"\end{document}", ""])


def _flushed(floats: list[str]) -> Iterator[str]:
    """LaTeX holds back eighteen floats at most."""
    for number, line in enumerate(floats, 1):
        yield line
        if number % WAITING == 0:
            yield r"\clearpage"


def escaped(text: str) -> str:
    """Plain text as LaTeX."""
    return _SPECIAL.sub(lambda found: SPECIAL[found[0]], spelled(_line(text), _KNOWN))


def _shares(shown: pd.DataFrame) -> str:
    """Columns that break their lines, as wide as their texts ask for, and never narrower than a word."""
    texts = [[str(cell) for cell in (name, *shown[name])] for name in shown.columns]
    wanted = [min(60, max(map(len, column))) for column in texts]
    least = [max(len(word) for text in column for word in text.split() or [""]) for column in texts]
    widths = [max(word, LINE * each / sum(wanted)) for word, each in zip(least, wanted, strict=True)]
    return "".join(rf">{{\raggedright\arraybackslash}}p{{{0.8 * each / sum(widths):.3f}\linewidth}}" for each in widths)


def _cell(value: object) -> str:
    """In one cell of a Markdown table."""
    return _line(str(value)).replace("|", r"\|")


def _line(text: str) -> str:
    """Names may come from anybody's file: no line breaks, no control characters."""
    return re.sub(r"[\x00-\x1f\x7f]+", " ", text).strip()
