"""Sites that are folders of a user's checkout: found at planning, their content part of the identity."""

import hashlib
from pathlib import Path
from typing import Any

from webassay.core.digest import digest
from webassay.core.task import SAFE_ID
from webassay.errors import ConfigError

LEFT_OUT = {"__pycache__", "node_modules", "results", ".git"}
"""Folders that running an application leaves behind or that it does not serve."""


def expand(environment: dict[str, Any]) -> dict[str, Any]:
    """The environment with one site for each application of its checkout."""
    folders = environment["folders"]
    if not folders:
        return environment
    names = applications(environment["path"], folders["having"], folders["only"])
    root = apps_root(environment["path"])
    sites = {name: folders["site"] | {"url": folders["site"]["url"].format(site=name.lower())} for name in names}
    return environment | {"path": str(root), "sites": environment["sites"] | sites}


def apps_root(path: str) -> Path:
    """The folder of the applications: `apps` of the checkout, or the folder given."""
    root = Path(path).expanduser().resolve()
    return root / "apps" if (root / "apps").is_dir() else root


def applications(path: str, having: str, only: Any) -> list[str]:
    root = apps_root(path)
    found = sorted(file.parent.name for file in root.glob(f"*/{having}")) if path and root.is_dir() else []
    wanted = [only] if isinstance(only, str) and only else list(only or ())
    if not found:
        raise ConfigError(f"benchmark.path={path}: no folder with a {having} there; give the checkout's own folder")
    if unknown := [name for name in wanted if name not in found]:
        raise ConfigError(f"benchmark.app={', '.join(map(str, unknown))}: {root} has {', '.join(found)}")
    if unsafe := [name for name in wanted or found if not SAFE_ID.fullmatch(name)]:
        raise ConfigError(f"{root / unsafe[0]}: it names a site; use letters, digits, '.', '_' and '-'")
    return wanted or found


def content_digest(path: str, names: list[str]) -> str:
    """Of everything in the applications' folders: tasks, verifiers, server and pages."""
    return digest({name: _folder(apps_root(path) / name) for name in names})


def _folder(folder: Path) -> dict[str, str]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.endswith(".pyc"))
    names = {file: file.relative_to(folder) for file in files}
    return {
        str(name): hashlib.sha256(file.read_bytes()).hexdigest()
        for file, name in names.items()
        if not LEFT_OUT & set(name.parts[:-1])
    }
