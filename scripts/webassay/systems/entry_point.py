"""The process of somebody's Python function that is an agent (`system.entry_point`); see external.py."""

import asyncio
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOT_FOUND = 78
"""The status that says so; EX_CONFIG elsewhere."""


def main() -> None:
    function = _named(sys.argv[1])
    order = json.loads(Path(os.environ["WEBASSAY_TASK"]).read_text())
    answer = function(order, os.environ["WEBASSAY_CDP"])
    if inspect.iscoroutine(answer):
        answer = asyncio.run(answer)
    text = answer if isinstance(answer, str) else json.dumps(answer)
    Path(os.environ["WEBASSAY_ANSWER"]).write_text(text, encoding="utf-8", errors="replace")


def _named(name: str) -> Callable[..., Any]:
    """Found from the folder that the run was started in, or on Python's path."""
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(NOT_FOUND)
    if not callable(found):
        print(f"{function} cannot be called", file=sys.stderr)
        sys.exit(NOT_FOUND)
    return found  # type: ignore[no-any-return]


if __name__ == "__main__":
    main()
