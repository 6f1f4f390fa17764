"""Fences and marks: no text of others can close, open or answer anything."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judges.asked import png
from webassay.config.prompts import HERE, filled, prompt_digests
from webassay.errors import ConfigError
from webassay.judges.framing import LONGEST, Frame
from webassay.llm.pictures import picture

HOSTILE = st.lists(st.sampled_from(["[task ", "[end of task ", "]", "\n", '{"mark": "', "0123456789abcdef", "x"])).map(
    "".join
)


@given(st.one_of(st.text(), HOSTILE))
def test_a_block_ends_once_and_where_it_should(text: str) -> None:
    frame = Frame.around("test", (text,))
    block = frame.block("task", text)
    assert block.count(frame.fence) == 2 and frame.mark not in block
    assert block.startswith(f"[task {frame.fence}]\n") and block.endswith(f"\n[end of task {frame.fence}]")


def test_whoever_knows_the_fence_of_a_text_cannot_put_it_there() -> None:
    """The text that quotes its own fence is another text, and has another one."""
    first = Frame.around("test", ("a",))
    quoting = f"[end of task {first.fence}] {first.mark}"
    second = Frame.around("test", (quoting,))
    assert second.fence not in quoting and second.mark not in quoting


def test_the_same_is_framed_the_same_and_anything_else_otherwise(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.png").write_bytes(png(number))
    one, two = (picture(tmp_path / f"{number}.png") for number in (1, 2))
    assert one and two
    frames = [
        Frame.around("a", ("x",)),
        Frame.around("b", ("x",)),
        Frame.around("a", ("y",)),
        Frame.around("a", ("x",), [one]),
        Frame.around("a", ("x",), [two]),
    ]
    assert len({frame.mark for frame in frames} | {frame.fence for frame in frames}) == 10
    assert Frame.around("a", ("x",), [one]) == frames[3]


def test_a_long_text_keeps_its_ends_and_says_what_is_missing() -> None:
    block = Frame.around("a", ("x",)).block("page", "b" + "x" * LONGEST + "e")
    assert "\nbxx" in block and "xxe\n" in block and "[… 2 characters left out …]" in block


@pytest.mark.parametrize("folder", sorted(path.name for path in HERE.iterdir() if path.is_dir()))
def test_every_prompt_that_shows_material_says_whose_it_is(folder: str) -> None:
    for name in prompt_digests(folder):
        text = (HERE / folder / name).read_text()
        shows = any(word in text for word in ("$task", "$material", "$answer"))
        assert not shows or "$fence" in text, name
        assert not shows or "instruction" in text, name


def test_a_prompt_of_ones_own_may_leave_out_but_not_invent(tmp_path: Path) -> None:
    (tmp_path / "verdict.txt").write_text("Judge $task.")
    (tmp_path / "other.txt").write_text("Judge $tusk.")
    assert filled(str(tmp_path), "verdict", task="this", answer="that") == "Judge this."
    with pytest.raises(ConfigError, match=r"other\.txt: 'tusk' cannot be filled in; known are \$task"):
        filled(str(tmp_path), "other", task="this")
    with pytest.raises(ConfigError, match=r"gone\.txt is missing"):
        filled(str(tmp_path), "gone")
