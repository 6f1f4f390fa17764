"""What annotators were asked: the categories of an audit, each with its definition and the values it may take.

name: task audit
categories:
  reference_wrong:
    definition: The reference answer does not answer the task.
    values: ["yes", "no"]
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import yaml

from webassay.errors import LabelsError
from webassay.stats.labels import Label


class Category(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    definition: str
    values: tuple[str, ...]
    """Two at least, in the order of tables."""


class Codebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    categories: dict[str, Category]
    """The key is what the column `category` of a labels file says; of a file without that column, `""`."""

    @property
    def values(self) -> dict[str, tuple[str, ...]]:
        return {name: category.values for name, category in self.categories.items()}


def read_codebook(path: Path) -> Codebook:
    try:
        book = msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8")), Codebook)
    except FileNotFoundError:
        raise LabelsError(f"{path}: there is no such codebook") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise LabelsError(f"{path}: broken YAML: {error}") from None
    except msgspec.ValidationError as error:
        hint = '; quote values that YAML reads otherwise: "yes", "no", "1"' if "values" in str(error) else ""
        raise LabelsError(f"{path}: {error}{hint}") from None
    if not book.categories:
        raise LabelsError(f"{path}: no categories")
    for name, category in book.categories.items():
        if len(set(category.values)) < max(2, len(category.values)) or "" in category.values:
            raise LabelsError(f"{path}: category {name!r} needs two or more values, all different and none empty")
        if not category.definition.strip():
            raise LabelsError(f"{path}: category {name!r} has an empty definition")
    return book


def check_against(book: Codebook, labels: Iterable[Label]) -> None:
    """A category or a value that the codebook does not know is a slip of an annotator, not a new one."""
    for label in labels:
        category = book.categories.get(label.category)
        if category is None:
            raise LabelsError(
                f"{label.where}: category {label.category!r} is not in the codebook {book.name!r}, which has "
                f"{', '.join(book.categories)}"
            )
        if label.label and label.label not in category.values:
            allowed = ", ".join(category.values)
            raise LabelsError(f"{label.where}: {label.label!r} is no value of {label.category!r}; allowed: {allowed}")
