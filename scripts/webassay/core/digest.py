"""Canonical JSON and the digests made of it: the same value gives the same bytes on every machine."""

import hashlib
import json
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

import webassay


@lru_cache
def code_provenance() -> str:
    """The package's version and, in a checkout, its commit; recorded beside results, never hashed into a path."""
    git = subprocess.run(
        ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{webassay.__version__} {git.stdout.strip()}".strip()


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, floats by repr, UTF-8; NaN and infinities are refused."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def digest(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()


def file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
