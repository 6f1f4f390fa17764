"""What decides a path: digests over all that changes an answer, and nothing else.

In: names, sampling parameters, budgets, viewport, prompts, selections, the content of datasets, judge settings and the
VERSION of the code behind each `kind`. Out: every field that the schema marks `runtime`.
"""

import dataclasses
import importlib.util
import re
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from webassay.config.checkout import applications, content_digest
from webassay.config.prompts import prompt_digests
from webassay.core.digest import digest, file_digest
from webassay.errors import ConfigError

IDENTITY_VERSION = 1
"""Raise it when the meaning of a digest changes: every path moves."""

RUNNER = "webassay.systems.runner"
USUAL_BROWSER = "chromium"
USUAL_PLACE = {"locale": "en-GB", "timezone": "UTC"}
"""Left out of the environment, so that the settings for another place move no path that was made in this one."""
VERIFIED = "webassay.judges.verified:Verified"
PAPER_ALONE = ("errata", "tolerances", "exploration")
"""Settings of the judge `verified` that its profile `release` does not read."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def hashed_fields(config: DictConfig) -> dict[str, Any]:
    """The configuration without its runtime fields, resolved; a value from the environment is refused."""
    kept = OmegaConf.create(_drop_runtime(config))
    resolver = _environment_resolver()
    try:
        OmegaConf.clear_resolver("oc.env")
        OmegaConf.register_new_resolver("oc.env", _refuse)
        plain = OmegaConf.to_container(kept, resolve=True)
    except OmegaConfBaseException as error:
        raise ConfigError(
            f"{error.full_key}: {str(error).splitlines()[0]}; a field that decides a path "
            "cannot come from the environment or from a runtime field"
        ) from None
    finally:
        OmegaConf.register_new_resolver("oc.env", resolver, replace=True)
    assert isinstance(plain, dict)
    fields = {str(key): value for key, value in plain.items()}
    for key in [key for key, usual in USUAL_PLACE.items() if fields.get("environment", {}).get(key) == usual]:
        del fields["environment"][key]
    return fields


def _environment_resolver() -> Any:
    from omegaconf.resolvers import oc

    return oc.env


def _refuse(*_: Any) -> str:
    raise ValueError("oc.env is not allowed here")


def _drop_runtime(node: DictConfig) -> dict[str, Any]:
    schema = OmegaConf.get_type(node)
    marked = dataclasses.fields(schema) if dataclasses.is_dataclass(schema) else ()
    dropped = {field.name for field in marked if field.metadata.get("runtime")}
    dropped |= {field.name for field in marked if field.metadata.get("when_set") and not node[field.name]}
    kept: dict[str, Any] = {}
    plain = OmegaConf.to_container(node, resolve=False)
    assert isinstance(plain, dict)
    for key, value in plain.items():
        if key not in dropped:
            child = None if OmegaConf.is_interpolation(node, str(key)) else node[str(key)]
            kept[str(key)] = _drop_runtime(child) if isinstance(child, DictConfig) else value
    return kept


def code_version(kind: str) -> int:
    """The VERSION constant of the module that `kind` names, read without importing it."""
    module = kind.partition(":")[0]
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        found = None
    if found is None or found.origin is None:
        raise ConfigError(f"kind {kind!r}: there is no module {module!r} on the Python path")
    line = re.search(r"^VERSION(?:: int)? = (\d+)\b", Path(found.origin).read_text(), re.MULTILINE)
    if line is None:
        raise ConfigError(
            f"kind {kind!r}: {Path(found.origin).name} has no line 'VERSION = <int>'; "
            "it is part of every result's identity"
        )
    return int(line.group(1))


def pinned(node: dict[str, Any], where: str, own: str = "") -> tuple[str, str]:
    """A dataset's source and the sha256 that it must have; `own`, a user's copy of a wheel's tasks, is its own pin."""
    source, sha256 = node["source"], node["sha256"]
    kind, _, location = source.partition(":")
    if kind == "wheel" and own:
        kind, location, sha256 = "file", own, None
    if kind == "file":
        path = Path(location).expanduser()
        if not path.is_file():
            origin = f"; get it from {node['origin']} and give its path" if node.get("origin") else ""
            raise ConfigError(f"{where}: there is no file {location or '(none is given)'}{origin}")
        return f"file:{path}", sha256 or file_digest(path)
    if kind == "folder":
        root, names = applications(location, node["having"], node["only"])
        return f"folder:{root}#{','.join(names)}", sha256 or content_digest(root, names)
    if kind in ("build", "wheel") and sha256:
        return source, sha256
    raise ConfigError(
        f"{where}: source {source!r} must be file:PATH, folder:PATH, or, with a sha256, "
        "build:MODULE or wheel:NAME==VERSION"
    )


def part(label: str, node: Any) -> str:
    """One component of a path: a readable name and eight digits of the digest."""
    return f"{_UNSAFE.sub('_', label).strip('._') or 'unnamed'}-{digest([IDENTITY_VERSION, node])[:8]}"


def system_part(fields: dict[str, Any]) -> str:
    """With the browser, unless that is the usual one: a kind that is not used moves no path."""
    system, browser = fields["system"], fields["browser"]
    versions = [code_version(system["kind"]), code_version(RUNNER)]
    others = [] if browser["kind"] == USUAL_BROWSER else [browser]
    return part(f"{system['name']}-{system['max_rounds']}", [system, versions, *others])


def model_part(fields: dict[str, Any]) -> str:
    return part(fields["model"]["name"], fields["model"])


def exec_part(fields: dict[str, Any]) -> str:
    """Benchmark and environment, without the list of tasks: each task has a digest of its own.

    A way of selecting that is not used is left out, so that a new one moves no path.
    """
    benchmark, environment = fields["benchmark"], fields["environment"]
    select = {key: value for key, value in benchmark["select"].items() if value not in ([], None)}
    chosen = {"name": benchmark["name"], "kind": benchmark["kind"], "select": select}
    return part(f"{benchmark['name']}_{environment['name']}", [chosen, environment])


def eval_part(fields: dict[str, Any]) -> str:
    judge = fields["judge"]
    profile = f"_{judge['profile']}" if "profile" in judge else ""
    return part(f"{judge['name']}{profile}", [judge_fields(judge), code_version(judge["kind"])])


def judge_fields(judge: dict[str, Any]) -> dict[str, Any]:
    """What decides a verdict; a judge of somebody else's may read whatever it is given.

    Of a folder of prompts it is what they say, not where they lie; read anew each time, since no cache knows of edits.
    """
    release = judge["kind"] == VERIFIED and judge.get("profile") == "release"
    kept = {key: value for key, value in judge.items() if not (release and key in PAPER_ALONE)}
    return kept | {"prompts": prompt_digests(kept["prompts"])} if "prompts" in kept else kept
