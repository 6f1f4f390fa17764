"""Labels of judges and people in long form: one row for what one rater said of one item.

    item,rater,label[,kind][,category][,cluster][,confidence][,stratum][,stratum_NAME …]

`task_id` and `annotator` are taken for `item` and `rater`; an `annotator` is human. `kind` is `judge` (where nothing is
said) or `human`. An empty label is an item that the rater left without one. `cluster` (a task, a template) is what
intervals resample, and the item itself where it is empty. `confidence` is the rater's own, 0 to 1.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from webassay.errors import LabelsError

Kind = Literal["judge", "human"]
ALIASES = {"task_id": "item", "annotator": "rater"}
NEEDED = ("item", "rater", "label")
KNOWN = (*NEEDED, "kind", "category", "cluster", "confidence")
STRATUM = "stratum"
LONGEST = 500


class Label(msgspec.Struct, frozen=True):
    item: str
    rater: str
    label: str
    """Empty: no verdict."""
    kind: Kind = "judge"
    category: str = ""
    """What was asked, where raters answer several questions of an item."""
    cluster: str = ""
    confidence: float | None = None
    strata: dict[str, str] = {}
    where: str = ""
    """File and line, for messages."""


def read_labels(path: Path) -> list[Label]:
    """Every row, checked; an error names the file and the line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise LabelsError(f"{path}: there is no such file of labels") from None
    except UnicodeDecodeError as error:
        raise LabelsError(f"{path}: not UTF-8 ({error.reason} at byte {error.start})") from None
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = [name.strip() for name in next(rows, [])]
        header, kind = _header(names, path), "human" if "annotator" in names else "judge"
        labels = [_label(header, row, kind, f"{path}, line {rows.line_num}") for row in rows if any(row)]
    except csv.Error as error:
        raise LabelsError(f"{path}, line {rows.line_num}: not CSV ({error})") from None
    if not labels:
        raise LabelsError(f"{path}: no labels below its header")
    check_labels(labels)
    return labels


def _header(names: list[str], path: Path) -> list[str]:
    header = [ALIASES.get(name, name) for name in names]
    if missing := [name for name in NEEDED if name not in header]:
        raise LabelsError(f"{path}, line 1: no column {' or '.join(missing)}; needed are {','.join(NEEDED)}")
    if twice := {name for name in header if header.count(name) > 1}:
        raise LabelsError(f"{path}, line 1: the column {min(twice)} is there twice")
    if unknown := [name for name in header if name not in KNOWN and not _is_stratum(name)]:
        raise LabelsError(
            f"{path}, line 1: unknown column {unknown[0]!r}; known are {', '.join(KNOWN)}, and {STRATUM} or "
            f"{STRATUM}_NAME for what results are split by"
        )
    return header


def _is_stratum(name: str) -> bool:
    return name == STRATUM or name.startswith(f"{STRATUM}_")


def _label(header: list[str], row: list[str], default: str, where: str) -> Label:
    if len(row) != len(header):
        raise LabelsError(f"{where}: {len(row)} fields under {len(header)} columns")
    cells = {name: cell.strip() for name, cell in zip(header, row, strict=True)}
    for name, cell in cells.items():
        if len(cell) > LONGEST or not cell.isprintable():
            raise LabelsError(f"{where}: {name} is longer than {LONGEST} characters or has unprintable ones")
    for name in ("item", "rater"):
        if not cells[name]:
            raise LabelsError(f"{where}: {name} is empty")
    kind = cells.get("kind") or default
    if kind not in get_args(Kind):
        raise LabelsError(f"{where}: kind {kind!r} is neither judge nor human")
    return Label(
        cells["item"],
        cells["rater"],
        cells["label"],
        "human" if kind == "human" else "judge",
        cells.get("category", ""),
        cells.get("cluster", ""),
        _confidence(cells.get("confidence", ""), where),
        {name: cell for name, cell in cells.items() if _is_stratum(name) and cell},
        where,
    )


def _confidence(text: str, where: str) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value <= 1:
        raise LabelsError(f"{where}: confidence {text!r} is not a number from 0 to 1")
    return value


def check_labels(labels: Sequence[Label]) -> None:
    """What no single row can show: a label given twice, a rater of two kinds, an item in two clusters or strata."""
    first: dict[tuple[str, ...], Label] = {}
    for label in labels:
        same = first.setdefault(("label", label.item, label.rater, label.category), label)
        if same is not label:
            raise LabelsError(
                f"{label.where}: {label.rater} labels {label.item} a second time (first in {same.where}); keep one row"
            )
        facts = {"kind": (label.rater, label.kind)} | {
            name: (label.item, value) for name, value in {"cluster": label.cluster, **label.strata}.items() if value
        }
        for name, (of, value) in facts.items():
            known = first.setdefault((name, of), label)
            before = known.kind if name == "kind" else known.cluster if name == "cluster" else known.strata[name]
            if before != value:
                raise LabelsError(f"{label.where}: {name} of {of} is {value!r} here and {before!r} in {known.where}")


def labels_csv(labels: Iterable[Label]) -> str:
    """As `read_labels` reads it; columns that would be empty are left out."""
    rows = [
        {
            "item": each.item,
            "rater": each.rater,
            "label": each.label,
            "kind": each.kind,
            "category": each.category,
            "cluster": each.cluster,
            "confidence": "" if each.confidence is None else repr(each.confidence),
            **each.strata,
        }
        for each in labels
    ]
    names = dict.fromkeys(name for row in rows for name, cell in row.items() if cell or name in NEEDED)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(names), restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
