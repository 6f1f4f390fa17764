"""The folder layout of webarena-verified: `<task_id>/agent_response.json` and a trace beside it.

Inputs are told apart by size and time of last change, as make does: looking at 812 tasks then takes milliseconds, where
digests of their content would read gigabytes. The price: an edit that keeps both needs --redo.
"""

import os
import re
import stat
from collections.abc import Collection
from pathlib import Path

import msgspec

from webassay.core.files import UNREADABLE
from webassay.core.trajectory import TRACES
from webassay.errors import ConfigError

RUN_CONFIG = "run_config.json"
MAX_CONFIG = 2**20
TRACE_DEPTH = 2
"""An unpacked trace is a folder with `trace.network` and, in `resources/`, bodies; nothing below that is ever read."""
ATTACHED = re.compile(r"[0-9a-f]{40}(\.[A-Za-z0-9]+)?|resources")
"""Bodies that a recorder put beside a HAR are named by their digest."""

Stamp = tuple[str, int, int]
"""Name, size and time of last change."""


class Address(msgspec.Struct, frozen=True):
    urls: tuple[str, ...]
    active_url_idx: int | None = None


class Settings(msgspec.Struct, frozen=True):
    """A configuration file of webarena-verified, as far as scoring needs it; other keys are left to others."""

    environments: dict[str, Address] | None = None
    agent_response_file_name: str = "agent_response.json"
    trace_file_name: str | None = None
    """None: whichever of the usual names is there."""

    @property
    def traces(self) -> tuple[str, ...]:
        name = self.trace_file_name
        if name is None or name == TRACES[0]:
            return TRACES
        return (name if "." in name else f"{name}.zip",)


class Inputs(msgspec.Struct, frozen=True):
    """What one task is judged from."""

    response: str
    trace: str
    stamps: tuple[Stamp, ...]


class Missing(msgspec.Struct, frozen=True):
    """There is nothing to judge: not a failure, and never 0."""

    reason: str


def read_settings(path: Path) -> Settings:
    """`{"environments": {"__GITLAB__": {"urls": […], "active_url_idx": 0}}}`; `gitlab` is `__GITLAB__` too."""
    try:
        if path.stat().st_size > MAX_CONFIG:
            raise ConfigError(f"{path}: larger than {MAX_CONFIG >> 20} MB; not a configuration")
        found = msgspec.json.decode(path.read_bytes(), type=Settings)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except UNREADABLE as error:
        raise ConfigError(f"{path}: not a configuration of webarena-verified: {error}") from None
    for name in (found.agent_response_file_name, *found.traces):
        if Path(name).name != name:
            raise ConfigError(f"{path}: {name!r} must be the name of a file in each task's folder")
    named = {name.strip("_").lower(): address for name, address in (found.environments or {}).items()}
    return msgspec.structs.replace(found, environments=named or None)


def find_inputs(folder: Path, settings: Settings) -> Inputs | Missing:
    if not folder.is_dir():
        return Missing("no folder")
    response = _stamps(folder / settings.agent_response_file_name, settings.agent_response_file_name)
    if not response:
        return Missing(f"no readable {settings.agent_response_file_name}")
    for name in settings.traces:
        if trace := _stamps(folder / name, name, TRACE_DEPTH):
            stamps = (*response, *trace, *_beside(folder))
            return Inputs(str(folder / settings.agent_response_file_name), str(folder / name), stamps)
    return Missing(f"no readable {' or '.join(settings.traces)}")


def _stamps(path: Path, name: str, depth: int = 0) -> tuple[Stamp, ...]:
    """Of a file, or of the files in a folder and so deep below; nothing for what cannot be read, such as a pipe."""
    try:
        found = path.stat()
        if not os.access(path, os.R_OK):
            return ()
        if stat.S_ISREG(found.st_mode):
            return ((name, found.st_size, found.st_mtime_ns),)
        if stat.S_ISDIR(found.st_mode) and depth:
            parts = sorted(path.iterdir())
            return tuple(stamp for part in parts for stamp in _stamps(part, f"{name}/{part.name}", depth - 1))
    except OSError:
        return ()
    return ()


def _beside(folder: Path) -> tuple[Stamp, ...]:
    names = sorted(os.listdir(folder)) if os.access(folder, os.R_OK) else []
    return tuple(stamp for name in names if ATTACHED.fullmatch(name) for stamp in _stamps(folder / name, name, 1))


def strangers(logs: Path, known: Collection[str], settings: Settings) -> list[str]:
    """Folders that look like a task's and are none of the benchmark's."""
    return sorted(
        entry.name
        for entry in logs.iterdir()
        if entry.name not in known
        and entry.is_dir()
        and (entry.name.isdigit() or (entry / settings.agent_response_file_name).is_file())
    )
