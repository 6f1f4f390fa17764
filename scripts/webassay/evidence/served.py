"""Which code a site has served, by the recording of its answers."""

import base64
import hashlib
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

MARKUP = ("text/html", "application/xhtml")
CODE = ("javascript", "ecmascript", *MARKUP)


def text_of(entry: dict[str, Any]) -> str | None:
    """The body of an answer; None where the recording has none, as of one that was cut off."""
    content = entry["response"]["content"]
    text = content.get("text")
    if text is not None and content.get("encoding") == "base64":
        return base64.b64decode(text).decode("utf-8", "replace")
    return None if text is None else str(text)


class Served:
    """The code of one site, whatever way a page came by it: a file, an element, an attribute."""

    def __init__(self, entries: list[dict[str, Any]], site: dict[str, Any], fetch: Callable[[str], str | None]) -> None:
        self._origin, self._state_path, self._fetch = urlsplit(site["url"])[:2], site["state_path"], fetch
        self._code: list[str] = []
        self._sums: set[str] = set()
        self._bodies: dict[str, set[str]] = {}
        self._asked: dict[str, str | None] = {}
        for entry in entries:
            if text := text_of(entry):
                self._take(entry["request"]["url"], text, entry["response"]["content"].get("mimeType", ""))

    def is_at_home(self, address: str) -> bool:
        return bool(urlsplit(address)[:2] == self._origin)

    def has(self, address: str, source: str, sha256: str) -> bool | None:
        """Whether this code was served; None where neither its text nor the address's is known."""
        plain = _plain(source)
        if sha256 in self._sums or (plain and any(plain in text for text in self._code)):
            return True
        path = urlsplit(address).path
        if path == self._state_path:
            return False  # what agents typed comes back from there
        bodies = self._bodies.get(urldefrag(address).url, set()) or self._served_now(address)
        if not bodies:
            return None
        if sha256 in {sum for body in bodies for sum in _sums(body)} or (plain and plain in map(_plain, bodies)):
            return True
        return False if plain else None

    def _take(self, url: str, text: str, kind: str) -> None:
        self._bodies.setdefault(urldefrag(url).url, set()).add(text)
        if any(code in kind for code in CODE):
            self._code.append(_plain(text))
            self._sums |= _sums(text)
        if any(markup in kind for markup in MARKUP):
            self._code.append(_plain(unescape(text)))
            self._sums |= {sum for part in _parts(text) for sum in _sums(part)}

    def _served_now(self, address: str) -> set[str]:
        """A browser that has a script already is told 304, and the recording no text."""
        parts = urlsplit(address)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        if path not in self._asked:
            self._asked[path] = self._fetch(path)
        text = self._asked[path]
        return {text} if text else set()


class _Parts(HTMLParser):
    """Code inside a document: script elements, handlers in attributes, addresses that are scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._script: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = [] if tag == "script" else self._script
        self.found += [value for name, value in attrs if value and name.startswith("on")]
        given = (value.strip() for _, value in attrs if value)
        self.found += [unquote(value[11:]) for value in given if value.lower().startswith("javascript:")]

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self._script.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._script is not None:
            self.found.append("".join(self._script))
            self._script = None


def _parts(text: str) -> Iterator[str]:
    parser = _Parts()
    parser.feed(text)
    yield from parser.found


def _sums(text: str) -> set[str]:
    """As the browser tells them: of the text in UTF-8 without its mark, in documents with line ends made one."""
    bare = text.lstrip("\ufeff")
    spellings = {bare, bare.replace("\r\n", "\n")}
    return {hashlib.sha256(each.encode("utf-8", "surrogatepass")).hexdigest() for each in spellings}


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").lstrip("\ufeff").strip()
