"""Choosing words that have not been used yet."""

from collections.abc import Callable

ATTEMPTS = 400


def unsaid(said: set[str], draw: Callable[[], str]) -> str:
    """A text that `draw` gives and nobody has said so far; the templates must have enough of them."""
    for _ in range(ATTEMPTS):
        text = draw()
        if text not in said:
            said.add(text)
            return text
    raise ValueError(f"no new text in {ATTEMPTS} attempts, the last was {text!r}; add templates to seed/texts")
