"""Tasks."""

TASKS: tuple = ()
