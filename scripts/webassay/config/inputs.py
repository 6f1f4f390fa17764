"""Files that an analysis names: found at planning, their content part of the identity."""

from collections.abc import Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from webassay.core.digest import digest, file_digest
from webassay.errors import ConfigError

FORMS = {
    "om2w": ("human_label.json", "webjudge_*/*_results.json", "webjudge_*/*_results.json.gz"),
    "arb": (),
}
"""Published forms, and what is read of a folder; without patterns it is one file."""


def split_form(labels: str) -> tuple[str, str]:
    """`om2w:FOLDER` -> om2w, FOLDER; anything else is a labels file of ours."""
    form, _, location = labels.partition(":")
    return (form, location) if form in FORMS else ("csv", labels)


def label_files(analysis: dict[str, Any]) -> list[Path]:
    form, location = split_form(analysis["labels"])
    patterns = FORMS.get(form, ())
    if not analysis["labels"]:
        return []
    where = Path(location).expanduser()
    if not patterns:
        return [_existing(where, "analysis.labels")]
    found = [sorted(where.glob(pattern)) for pattern in patterns]
    if not found[0] or not any(found[1:]):
        raise ConfigError(f"analysis.labels={analysis['labels']}: needs {patterns[0]} and {patterns[1]} in {where}")
    return [path for paths in found for path in paths]


def codebook_files(analysis: dict[str, Any]) -> list[Path]:
    return [_existing(Path(analysis["codebook"]).expanduser(), "analysis.codebook")] if analysis["codebook"] else []


def _existing(path: Path, key: str) -> Path:
    if not path.is_file():
        raise ConfigError(f"{key}: there is no file {path}")
    return path


def content(analysis: dict[str, Any]) -> dict[str, str]:
    """What of the files decides a result; nothing where none is named."""
    if analysis["codebook"] and not analysis["labels"]:
        raise ConfigError("analysis.codebook without analysis.labels: a codebook is about a labels file")
    labels = [[path.parent.name, path.name, file_digest(path)] for path in label_files(analysis)]
    if split_form(analysis["labels"])[0] != "om2w":
        labels = [[sha256] for *_, sha256 in labels]  # there, the names of folder and file are judge and agent
    books = [file_digest(path) for path in codebook_files(analysis)]
    found = {"labels": digest([*labels, *books])} if labels else {}
    return found | {name: file_digest(path) for name, path in _tables(analysis)}


def _tables(analysis: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    for key in ("outcomes", "subset.categories"):
        if location := reduce(getitem, key.split("."), analysis):
            yield key, _existing(Path(str(location)).expanduser(), f"analysis.{key}")
