"""x."""

SOLUTIONS: dict = {}
