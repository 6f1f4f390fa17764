"""Secrets stay out of configurations, which are kept under results/: these name the variables that hold them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from webassay.core.secret_names import credentials
from webassay.errors import ConfigError

PASSWORD = re.compile(r"""\bpassword["']?\s*[:=]\s*(?!\\?["']?\s*(?:\\?\$?\{|[,}"']|$))""")
"""Followed by its value, where that is no `${oc.env:NAME}`, no `{password}` of a form, and not empty."""
FROM_THE_ENVIRONMENT = "export it, and write '${oc.env:NAME}' with the variable's name in its place"


def refuse_passwords(overrides: Iterable[str]) -> None:
    for override in overrides:
        if PASSWORD.search(override):
            key = override.partition("=")[0]
            raise ConfigError(f"{key}=…: a password in an override would be kept in files; {FROM_THE_ENVIRONMENT}")


def refuse_credentials(config: Any) -> None:
    """Before references are resolved: what comes from the environment is not told yet."""
    for key, text in _texts(config, ""):
        if any("${" not in secret for secret in credentials(text)):
            raise ConfigError(f"{key}: a password or key in an address would be kept in files; {FROM_THE_ENVIRONMENT}")


def refuse_users(config: Any) -> None:
    """Addresses of a model's endpoints stand in logs and errors."""
    for where, model in (("model", config["model"]), ("judge.model", config["judge"].get("model") or {})):
        given = (one.get("url") if isinstance(one, dict) else one for one in model.get("endpoints") or ())
        if any("@" in urlsplit(str(address)).netloc for address in given):
            raise ConfigError(
                f"{where}.endpoints: an address holds a user or password; a key is given by {where}.api_key_env "
                f"or {where}.api_key_file"
            )


def _texts(node: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, str):
        yield where, node
    elif isinstance(node, dict | list):
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _texts(child, f"{where}.{key}" if where else str(key))
