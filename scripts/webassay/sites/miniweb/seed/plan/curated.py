"""The texts, as they lie beside this package."""

import tomllib
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parents[1] / "texts"


def curated(name: str) -> dict[str, Any]:
    return tomllib.loads((TEXTS / f"{name}.toml").read_text("utf-8"))
