"""Sites that are folders of a user's checkout: found at planning, their content part of the identity."""

from pathlib import Path
from typing import Any

from webassay.core.digest import digest, file_digest
from webassay.core.task import SAFE_ID
from webassay.errors import ConfigError

LEFT_OUT = {"__pycache__", "node_modules", "results", ".git"}
"""Folders that running an application leaves behind or that it does not serve."""
WRITTEN = {".pyc", ".log", ".tmp", ".pid", ".lock", ".bak", ".swp", ".db", ".sqlite", ".sqlite3"}
"""Kinds of files that servers and editors leave behind; hidden files are left out too."""


DEPTH = 3
"""How far below the folder given an application is looked for."""


def expand(environment: dict[str, Any]) -> dict[str, Any]:
    """The environment with one site for each application of its checkout."""
    folders = environment["folders"]
    if not folders:
        return environment
    root, names = applications(environment["path"], folders["having"], folders["only"])
    sites = {name: folders["site"] | {"url": folders["site"]["url"].format(site=name.lower())} for name in names}
    return environment | {"path": str(root), "sites": environment["sites"] | sites}


def applications(path: str, having: str, only: Any) -> tuple[Path, list[str]]:
    """The folder that applications lie in, and the names of those that are wanted."""
    root, found = _found(path, having)
    wanted = [only] if isinstance(only, str) and only else list(only or ())
    if unknown := [name for name in wanted if name not in found]:
        raise ConfigError(f"benchmark.app={', '.join(map(str, unknown))}: {root} has {', '.join(found)}")
    if unsafe := [name for name in wanted or found if not SAFE_ID.fullmatch(name)]:
        raise ConfigError(f"{root / unsafe[0]}: it names a site; use letters, digits, '.', '_' and '-'")
    return root, wanted or found


def _found(path: str, having: str) -> tuple[Path, list[str]]:
    """In a checkout's `apps`, else in the folder itself, or in the one folder below that has any; or it is one."""
    given = Path(path).expanduser().resolve()
    if path and (given / having).is_file():
        return given.parent, [given.name]
    root = given / "apps" if (given / "apps").is_dir() else given
    for depth in range(DEPTH) if path and root.is_dir() else ():
        groups: dict[Path, list[str]] = {}
        for file in sorted(root.glob(f"{'*/' * depth}*/{having}")):
            groups.setdefault(file.parent.parent, []).append(file.parent.name)
        if len(groups) > 1:
            raise ConfigError(f"benchmark.path={path}: give one of {', '.join(map(str, groups))}")
        if groups:
            return next(iter(groups.items()))
    there = ", ".join(sorted(each.name for each in root.iterdir())[:10]) if path and root.is_dir() else "not there"
    raise ConfigError(
        f"benchmark.path={path}: no folder with a {having} there; give the checkout's own folder ({root}: {there})"
    )


def content_digest(root: Path, names: list[str]) -> str:
    """Of all that is meant to be in the applications' folders: tasks, verifiers, server and pages."""
    return digest({name: _folder(root / name) for name in names})


def _folder(folder: Path) -> dict[str, str]:
    names = {file: file.relative_to(folder) for file in sorted(folder.rglob("*")) if file.is_file()}
    return {str(name): file_digest(file) for file, name in names.items() if _is_meant(name)}


def _is_meant(name: Path) -> bool:
    hidden = any(part.startswith(".") for part in name.parts)
    return not (hidden or LEFT_OUT & set(name.parts[:-1]) or name.suffix.lower() in WRITTEN or name.name[-1] == "~")
