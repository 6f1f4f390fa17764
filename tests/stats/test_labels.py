"""Files of labels: what is read, and each slip named with its file and line."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webassay.errors import LabelsError
from webassay.stats.labels import Label, labels_csv, read_labels

HEAD = "item,rater,label"


def write(folder: Path, text: str) -> Path:
    path = folder / "labels.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_column_is_read_and_written_again(tmp_path: Path) -> None:
    text = (
        "item,rater,label,kind,category,cluster,confidence,stratum,stratum_site\n"
        't1,gpt,success,judge,done,t,0.75,easy,shop\n"t,2",ada,failure,human,done,t,,,wiki\nt3,gpt,,judge,done,,1.0,,\n'
    )
    labels = read_labels(write(tmp_path, text))
    assert labels[0].strata == {"stratum": "easy", "stratum_site": "shop"} and labels[0].confidence == 0.75
    assert (labels[1].item, labels[1].kind, labels[2].label) == ("t,2", "human", "")
    assert labels_csv(labels) == text


def test_annotations_are_labels_of_people(tmp_path: Path) -> None:
    (label,) = read_labels(write(tmp_path, "\ufefftask_id,annotator,category,label\n7,ada,wrong,yes\n"))
    assert (label.item, label.rater, label.kind, label.category) == ("7", "ada", "human", "wrong")
    assert label.where.endswith("labels.csv, line 2")


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "line 1: no column item or rater or label"),
        ("item,label\nt,1\n", "line 1: no column rater"),
        (f"{HEAD},item\n", "the column item is there twice"),
        ("item,task_id,rater,label\n", "the column item is there twice"),
        (f"{HEAD},comment\n", "unknown column 'comment'"),
        (f"{HEAD}\n", "no labels below its header"),
        (f"{HEAD}\nt,a\n", "line 2: 2 fields under 3 columns"),
        (f"{HEAD}\nt,a,1,1\n", "line 2: 4 fields under 3 columns"),
        (f"{HEAD}\n,a,1\n", "line 2: item is empty"),
        (f"{HEAD}\nt, ,1\n", "line 2: rater is empty"),
        (f"{HEAD}\nt,a,1\nt,a,0\n", "line 3: a labels t a second time (first in"),
        (f"{HEAD},kind\nt,a,1,robot\n", "line 2: kind 'robot' is neither"),
        (f"{HEAD},kind\nt,a,1,human\nu,a,1,judge\n", "line 3: kind of a is 'judge' here and 'human'"),
        (f"{HEAD},cluster\nt,a,1,x\nt,b,1,y\n", "line 3: cluster of t is 'y' here and 'x'"),
        (f"{HEAD},stratum\nt,a,1,x\nt,b,1,\nt,c,1,y\n", "line 4: stratum of t is 'y'"),
        (f"{HEAD},confidence\nt,a,1,high\n", "confidence 'high' is not a number from 0 to 1"),
        (f"{HEAD},confidence\nt,a,1,nan\n", "confidence 'nan' is not"),
        (f"{HEAD},confidence\nt,a,1,1.5\n", "confidence '1.5' is not"),
        (f'{HEAD}\n"t,a,1\n', "not CSV"),
        (f"{HEAD}\nt,a\x00,1\n", "line 2: "),
        (f"{HEAD}\n{'t' * 501},a,1\n", "line 2: item is longer"),
    ],
)
def test_a_slip_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LabelsError) as error:
        read_labels(write(tmp_path, text))
    assert str(error.value).startswith(f"{tmp_path}/labels.csv") and message in str(error.value)


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_bytes(b"item,rater,label\n\xff,a,1\n")
    with pytest.raises(LabelsError, match=r"labels.csv: not UTF-8"):
        read_labels(tmp_path / "labels.csv")
    with pytest.raises(LabelsError, match="no such file"):
        read_labels(tmp_path / "none.csv")


@given(st.text(alphabet=st.sampled_from('item,rater,label\n"\r\x00é1 '), max_size=80))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_any_text_is_read_or_refused(tmp_path: Path, text: str) -> None:
    try:
        labels = read_labels(write(tmp_path, f"{HEAD}\n{text}"))
    except LabelsError:
        return
    again = read_labels(write(tmp_path, labels_csv(labels)))
    assert [as_given(label) for label in again] == [as_given(label) for label in labels]


def as_given(label: Label) -> tuple[str, str, str]:
    return label.item, label.rater, label.label
