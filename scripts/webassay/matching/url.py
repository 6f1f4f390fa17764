"""Addresses, compared by their parts and never by substring."""

from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from webassay.matching.value import NotOfType, ValueType, wrong_type

_DEFAULT_PORTS = {"http": 80, "https": 443}


def read_url(raw: Any) -> str:
    """Lower-case scheme and host, no default port, one way of escaping, the query's pairs in order."""
    if not isinstance(raw, str):
        raise wrong_type(raw, "a URL")
    try:
        parts = urlsplit(raw.strip())
        port = parts.port
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
            raise ValueError
        query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    except ValueError:  # a bad port, a broken IPv6 address, half of a surrogate pair, too many parameters
        raise NotOfType(f"{raw[:100]!r} is not a URL") from None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    origin = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    return urlunsplit((parts.scheme, origin, _path(parts.path), query, parts.fragment))


def _path(path: str) -> str:
    """Segment by segment, so that an escaped slash stays different from a slash."""
    raw = "surrogateescape"  # bytes that are not UTF-8 stay as they are
    return "/".join(quote(unquote(part, errors=raw), safe="~", errors=raw) for part in (path or "/").split("/"))


URL = ValueType("url", read_url, patterns=True)
