"""Addresses, compared by their parts and never by substring; of http, https, and ssh as git writes it."""

import re
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from webassay.matching.tolerance import Tolerances
from webassay.matching.value import NotOfType, ValueType, bounded_text

_DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = r"([a-z0-9_.-]{1,253})"
_SSH = re.compile(
    rf"(?:ssh://([a-z0-9_.-]{{1,64}}@)?{_HOST}(?::[0-9]{{1,5}}(?=/))?[:/]/?|([a-z0-9_.-]{{1,64}}@){_HOST}:/?)(\S{{1,1000}})",
    re.IGNORECASE,
)
_ANY_HOST = "__ssh_host__"
"""As webarena-verified writes a host that depends on where GitLab runs."""


def read_url(raw: Any) -> str:
    """Lower-case scheme and host, no default port, one way of escaping, no slash at the end, the query in order."""
    text = bounded_text(raw, "a URL").strip()
    try:
        if found := _SSH.fullmatch(text):
            user, host = (found.group(one) or found.group(other) or "" for one, other in ((1, 3), (2, 4)))
            return _ssh_url(user, host, found.group(5))
        parts = urlsplit(text)
        port = parts.port
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
            raise ValueError
        query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    except ValueError:  # a bad port, a broken IPv6 address, half of a surrogate pair, too many parameters
        raise NotOfType(f"{text[:100]!r} is not a URL") from None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    origin = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    return urlunsplit((parts.scheme, origin, _path(parts.path).removesuffix("/") or "/", query, parts.fragment))


def same_url(expected: str, actual: str, tolerances: Tolerances) -> bool:
    if expected == actual or not expected.startswith("ssh://") or not actual.startswith("ssh://"):
        return expected == actual
    user, host, path = _ssh_parts(expected)
    return host == _ANY_HOST and (user, path) == _ssh_parts(actual)[::2]


def _ssh_url(user: str, host: str, path: str) -> str:
    """Without the port, for which `git@host:path` has no place."""
    return f"ssh://{user.lower()}{host.lower()}/{_path(path.rstrip('/'))}"


def _ssh_parts(url: str) -> tuple[str, str, str]:
    origin, _, path = url.removeprefix("ssh://").partition("/")
    user, _, host = origin.rpartition("@")
    return user, host, path


def _path(path: str) -> str:
    """Segment by segment, so that an escaped slash stays different from a slash."""
    raw = "surrogateescape"  # bytes that are not UTF-8 stay as they are
    return "/".join(quote(unquote(part, errors=raw), safe="~", errors=raw) for part in (path or "/").split("/"))


def _pattern_texts(raw: Any) -> tuple[str]:
    return (bounded_text(raw, "a URL").strip(),)


URL = ValueType("url", read_url, same_url, pattern_texts=_pattern_texts)
