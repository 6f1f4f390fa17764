"""URLs in the normal form of url-normalize 2.2.1, which the release pins; later versions keep more of a URL apart.

Escapes are decoded, reserved ones too, and encoded again where they must; dots and double slashes leave the path.
"""

import re
import unicodedata
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import idna

WITH_AUTHORITY = {"http", "https", "ftp", "ftps"}
WITH_PATH = {"http", "https", "ftp", "file"}
DEFAULT_PORTS = {
    "ftp": "21",
    "gopher": "70",
    "http": "80",
    "https": "443",
    "news": "119",
    "nntp": "119",
    "snews": "563",
    "snntp": "563",
    "telnet": "23",
    "ws": "80",
    "wss": "443",
}
MAX_LABEL = 1_000
"""Far more than the 63 that any host may have in the end; encoding ten million would take half a minute."""
_PLAIN_HOST = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")


def normal_url(url: str) -> str:
    """Raises ValueError for what cannot be taken apart."""
    if not url:
        return url
    url = _with_scheme(url).replace("#!", "?_escaped_fragment_=").rstrip("&? ")
    scheme, authority, path, query, fragment = urlsplit(url.strip())
    return urlunsplit(
        (scheme, _authority(authority, scheme), _path(path, scheme), _query(query), _escaped(fragment, "~="))
    )


def _with_scheme(url: str) -> str:
    """https where none is given; only the first seven characters are searched for one."""
    if url == "-" or (url.startswith("/") and not url.startswith("//")):
        return url
    if ":" not in url[:7]:
        return f"https://{url.lstrip('/')}"
    scheme, rest = url.split(":", 1)
    return f"{scheme}://{rest.lstrip('/')}" if scheme.lower() in WITH_AUTHORITY else url


def _authority(authority: str, scheme: str) -> str:
    user, at, place = authority.partition("@") if "@" in authority else ("", "", authority)
    host, _, port = place.partition(":")
    if port.isdigit():
        port = str(int(port))
        port = "" if port == DEFAULT_PORTS.get(scheme) else port
    user = "" if user in ("", ":") else user + at
    return user + _host(host.lower().strip(".")) + (f":{port}" if port else "")


def _host(host: str) -> str:
    if len(host) <= 63 and _PLAIN_HOST.fullmatch(host):
        return host
    if any(len(label) > MAX_LABEL for label in host.split(".")):
        raise ValueError(f"a host with a label of more than {MAX_LABEL} characters")
    try:
        return ".".join(idna.encode(label, uts46=True).decode() for label in host.split(".") if label)
    except idna.IDNAError:
        return host.encode("idna").decode()


def _path(path: str, scheme: str) -> str:
    path = _escaped(path, "~:/#[]@!$&'()*+,;=")
    if scheme in WITH_PATH or not scheme:
        path = _without_dots(path)
    return path or ("/" if scheme in WITH_PATH else "")


def _without_dots(path: str) -> str:
    kept: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            kept = kept[:1] + kept[1:-1]
        elif part not in ("", ".") or (part == "" and not kept):
            kept.append(part)
    return "/".join([*kept, ""] if parts[-1] in ("", ".", "..") else kept)


def _query(query: str) -> str:
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    safe = "~:/?[]@!$'()*+,;"
    return "&".join(
        f"{_escaped(name, safe)}={_escaped(value, safe)}" if value else _escaped(name, safe) for name, _, value in pairs
    )


def _escaped(text: str, safe: str) -> str:
    if "%" in text or not text.isascii():
        text = unicodedata.normalize("NFC", unquote(text))
    return quote(text, safe)
