"""Hydra's grammar and groups -> plain configurations, with errors that speak of the user's key."""

import dataclasses
import difflib
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import ConfigCompositionException, HydraException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from webassay.config.schema import SCHEMAS, Config
from webassay.errors import ConfigError

SHORT = {"benchmark.limit": "benchmark.select.limit"}
"""What may be said for a key that is asked for often."""


def compose_all(folder: Path, runs: Sequence[Sequence[str]], overrides: Sequence[str]) -> list[DictConfig]:
    """Every configuration of an experiment: each run's overrides, then the user's, sweeps expanded."""
    for name, schema in SCHEMAS.items():
        group, _, leaf = f"schema/{name}".rpartition("/")
        ConfigStore.instance().store(group=group, name=leaf, node=schema)
    with initialize_config_dir(version_base="1.3", config_dir=str(folder.resolve())):
        return [_compose(combination) for run in runs for combination in _sweep([*run, *overrides])]


def _sweep(overrides: list[str]) -> list[list[str]]:
    overrides = [_in_full(override) for override in overrides]
    try:
        loader = GlobalHydra.instance().config_loader()
        parsed = OverridesParser.create(config_loader=loader).parse_overrides(overrides)
        combinations = BasicSweeper.split_arguments(parsed, max_batch_size=None)[0]
    except OverrideParseException as error:
        raise ConfigError(f"override {error.override!r} is not in Hydra's grammar: {error.message}") from None
    except HydraException as error:
        raise ConfigError(_first_line(error)) from None
    return [_last_wins(list(combination)) for combination in combinations]


def _in_full(override: str) -> str:
    key, equals, value = override.partition("=")
    return f"{SHORT.get(key, key)}{equals}{value}"


def _last_wins(overrides: list[str]) -> list[str]:
    """A group chosen twice (by the experiment and by the user) is the user's; Hydra itself would refuse."""
    chosen = {override.partition("=")[0]: override for override in overrides}
    return list(chosen.values())


def _compose(overrides: list[str]) -> DictConfig:
    try:
        config = compose("config", overrides=overrides)
    except (MissingConfigException, ConfigCompositionException, OmegaConfBaseException, HydraException) as error:
        raise ConfigError(_explain(error, overrides)) from None
    except yaml.YAMLError as error:
        raise ConfigError(f"broken YAML: {error}") from None
    for problem in _problems(config, ""):
        raise ConfigError(problem)
    return config


def _problems(node: Any, where: str) -> Iterator[str]:
    """Keys that Hydra lets `+` add to a typed node, and mandatory values left open."""
    if isinstance(node, ListConfig):
        return
    schema = OmegaConf.get_type(node)
    known = [field.name for field in dataclasses.fields(schema)] if dataclasses.is_dataclass(schema) else None
    for key in node:
        name = f"{where}{key}"
        if known is not None and key not in known:
            yield _unknown_key(name, schema)
        elif OmegaConf.is_missing(node, key):
            yield f"{name} has no value; give one with {name}=…"
        elif not OmegaConf.is_interpolation(node, key) and isinstance(node[key], DictConfig) and node[key]:
            yield from _problems(node[key], f"{name}.")


def _unknown_key(name: str, schema: Any) -> str:
    """With the nearest key beside it, or the same one in a node below."""
    key, fields = name.rpartition(".")[2], dataclasses.fields(schema)
    near = difflib.get_close_matches(key, [field.name for field in fields], n=1) or _below(key, schema)
    known = ", ".join(sorted(field.name for field in fields))
    hint = f"did you mean {name[: -len(key)]}{near[0]}?" if near else f"known keys: {known}"
    return f"unknown key {name}; {hint}"


def _below(key: str, schema: Any) -> list[str]:
    """`limit` of a benchmark is `select.limit`."""
    types = typing.get_type_hints(schema)
    nodes = {name: kind for name, kind in types.items() if dataclasses.is_dataclass(kind)}
    return [
        f"{name}.{key}" for name, kind in nodes.items() if key in (field.name for field in dataclasses.fields(kind))
    ]


def _explain(error: Exception, overrides: list[str]) -> str:
    if isinstance(error, MissingConfigException) and error.options is not None:
        group, _, choice = (error.missing_cfg_file or "").rpartition("/")
        near = difflib.get_close_matches(choice, error.options, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        return f"{group}={choice}: no such choice; {hint}available: {', '.join(error.options)}"
    where = f"{str(error).split(chr(39))[1]}.yaml: " if str(error).startswith("In '") else ""
    cause = _root(error)
    if isinstance(cause, OmegaConfBaseException) and cause.full_key:
        schema = cause.object_type
        if isinstance(cause, ConfigAttributeError | ConfigKeyError) and dataclasses.is_dataclass(schema):
            return where + _unknown_key(cause.full_key, schema)
        if isinstance(cause, ConfigAttributeError | ConfigKeyError):
            return f"{where}unknown key {cause.full_key}; if it is meant, add it with +{cause.full_key}=…"
        given = next((o for o in overrides if o.lstrip("+~").startswith(cause.full_key)), "")
        return f"{where}{cause.full_key}: {_first_line(cause)}" + (f" (from {given})" if given else "")
    if isinstance(error, ConfigCompositionException) and "Could not override" in str(error):
        key = str(error).split("'")[1]
        return _unknown_key(key, Config)
    return _first_line(error)


def _root(error: BaseException) -> BaseException:
    """OmegaConf's own error below Hydra's, which says only that something went wrong."""
    while not isinstance(error, OmegaConfBaseException) and (deeper := error.__cause__ or error.__context__):
        error = deeper
    return error


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
