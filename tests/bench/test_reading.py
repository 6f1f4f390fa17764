"""The row about reading, in a tiny size: both sides find the same, and what they find is right."""

from pathlib import Path

from webassay.bench.reading import STEPS, decode_all, read_all, reading_rows, write_many


def test_both_sides_read_the_same(tmp_path: Path) -> None:
    root = write_many(tmp_path, 20)
    assert read_all(root) == decode_all(root) == (20 * STEPS, 20.0)


def test_the_rows(tmp_path: Path) -> None:
    time, memory = reading_rows(tmp_path, 20, 1)
    assert time.goal == "≤ 2 ×" and time.reference and time.ours > 0
    assert memory.unit == "×" and 0.5 < memory.ours < 2
