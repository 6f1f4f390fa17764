"""Codebooks: read, checked, and what annotators wrote held against them."""

from pathlib import Path

import pytest

from webassay.errors import LabelsError
from webassay.stats.codebook import check_against, read_codebook
from webassay.stats.labels import Label

BOOK = """
name: task audit
categories:
  wrong:
    definition: The reference answer does not answer the task.
    values: ["yes", "no", "unsure"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "codebook.yaml"
    path.write_text(text)
    return path


def test_what_was_asked_is_read_in_its_order(tmp_path: Path) -> None:
    assert read_codebook(write(tmp_path, BOOK)).values == {"wrong": ("yes", "no", "unsure")}


@pytest.mark.parametrize(
    "text, message",
    [
        ("name: [", "broken YAML"),
        ("name: x", "missing required field `categories`"),
        ("name: x\ncategories: {}", "no categories"),
        (BOOK.replace('"yes", "no"', "yes, no"), 'quote values that YAML reads otherwise: "yes"'),
        (BOOK.replace('"no", "unsure"', '"yes"'), "two or more values, all different"),
        (BOOK.replace('"no", "unsure"', '""'), "two or more values, all different"),
        (BOOK.replace('["yes", "no", "unsure"]', '["yes"]'), "two or more values"),
        (BOOK.replace("The reference answer does not answer the task.", "''"), "empty definition"),
        (BOOK + "    note: x\n", "unknown field `note`"),
        ("!!python/object/apply:os.getcwd []", "broken YAML"),
    ],
)
def test_a_slip_in_a_codebook_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LabelsError) as error:
        read_codebook(write(tmp_path, text))
    assert str(error.value).startswith(f"{tmp_path}/codebook.yaml") and message in str(error.value)


def test_a_codebook_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match="no such codebook"):
        read_codebook(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    "category, label, message",
    [
        ("wrnog", "yes", "line 2: category 'wrnog' is not in the codebook 'task audit', which has wrong"),
        ("wrong", "Yes", "line 2: 'Yes' is no value of 'wrong'; allowed: yes, no, unsure"),
    ],
)
def test_an_annotator_s_slip_is_named(tmp_path: Path, category: str, label: str, message: str) -> None:
    book = read_codebook(write(tmp_path, BOOK))
    check_against(book, [Label("t", "ada", "", "human", "wrong")])
    with pytest.raises(LabelsError, match=message):
        check_against(book, [Label("t", "ada", label, "human", category, where="labels.csv, line 2")])
