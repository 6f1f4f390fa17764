"""What is called a secret: fields of forms and JSON, headers, and variables of the environment."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

SECRET_NAME = re.compile(
    r"passw|passphrase|passcode|pwd|secret|token|api.?key|authorization|credential|jwt"
    r"|(?<![a-z])(?:pass|pin|otp|cvc|cvv)(?![a-z])|(?<![a-z])auth[\W\d_]*$"
    r"|(?-i:(?<=[a-z])(?:Pass|Pin|Otp|Cvc|Cvv)(?![a-z])|(?<=[a-z])Auth[\W\d_]*$)",
    re.IGNORECASE,
)
PASSWORD_NAME = re.compile(r"passw|passphrase|passcode|pwd|(?:^|_)pass", re.IGNORECASE)
KEY_NAME = re.compile(
    r"(?:passw(?:or)?d|passphrase|passcode|pwd|secret|token|credential|apikey|authorization"
    r"|(?:^|[_-])(?:key|pass|pat|pin|auth))s?(?:_?\d+|_id)?$",
    re.IGNORECASE,
)
"""Of a variable that is a secret, not about one as TOKEN_TYPE is."""
SHORTEST_VARIABLE = 6
SHORTEST_WORD = 12
"""Of letters or digits alone where the name is no password's, and of all where it only mentions a secret."""
LONGEST_KEPT = 100
"""Of names that are looked at once; pages choose them."""
WORD = re.compile(r"[A-Za-z]+|[\d.]+")
UNSECRET = re.compile(r"\s|^[/.~]|^[A-Za-z]+$")
SWITCH = {"default", "disable", "disabled", "enable", "enabled", "password", "required", "secret"}


def is_secret_name(name: str) -> bool:
    return _is_secret_name(name) if len(name) <= LONGEST_KEPT else SECRET_NAME.search(name) is not None


@lru_cache(4096)
def _is_secret_name(name: str) -> bool:
    return SECRET_NAME.search(name) is not None


def secrets_in(environment: Mapping[str, str]) -> list[str]:
    """Values of variables that are called like a secret and look like one, and the credentials in any address."""
    named = [value for name, value in environment.items() if _is_secret(name, value)]
    return [*named, *(secret for value in environment.values() for secret in credentials(value))]


def credentials(address: str) -> list[str]:
    """The password and secret-like fields of a URL, as they stand there and as they are meant."""
    try:
        parts = urlsplit(address) if "://" in address else None
        found = [parts.password or ""] if parts and "@" in parts.netloc else []
    except ValueError:
        return []
    fields = parse_qsl(parts.query) if parts else []
    found += [value for name, value in fields if is_secret_name(name) or KEY_NAME.search(name)]
    return list(dict.fromkeys(form for one in found for form in (one, unquote(one)) if len(form) >= SHORTEST_VARIABLE))


def without_credentials(address: str) -> str:
    """Without user, password and query, for messages."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def credentials_within(value: Any) -> Iterator[str]:
    """Of all addresses in a configuration."""
    if isinstance(value, str):
        yield from credentials(value)
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from credentials_within(one)


def _is_secret(name: str, value: str) -> bool:
    if len(value) < SHORTEST_VARIABLE or value.lower() in SWITCH or _is_place(value):
        return False
    if not KEY_NAME.search(name):
        return is_secret_name(name) and len(value) >= SHORTEST_WORD and not UNSECRET.search(value)
    return len(value) >= SHORTEST_WORD or bool(PASSWORD_NAME.search(name)) or not WORD.fullmatch(value)


def _is_place(value: str) -> bool:
    """A key in a file: its path tells nothing, and stands in many messages."""
    try:
        return value[0] in "/.~" and Path(value).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False
