"""Secrets leave the evidence before it reaches its place: by field, and by literal value.

Literals come only from the configuration, the environment and the sites' own session cookies, never from names or
values that a page or an agent chose: those could otherwise rewrite the evidence against them.
"""

import base64
import hashlib
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TextIO
from urllib.parse import unquote_plus

import msgspec

from webassay.core.secret_names import is_secret_name
from webassay.evidence.literals import Literal, literal

FORM_FIELD = re.compile(r"(^|&)([^=&]*)=([^&]*)")
URL_FIELD = re.compile(r"(?<=[?&;#])([^=?&;#]*)=")
URL_END = re.compile(r"[&#>\r\n]")
"""Of a value: the next field, the fragment, or the end of a `Link: <…>`."""
URL_HEADERS = {"referer", "location", "content-location", "refresh", "link", ":path"}
BOUNDARY = re.compile(r"boundary=\"?([^\";,\s]+)", re.IGNORECASE)
BLANK_LINE = re.compile(r"\r?\n\r?\n")
PART_NAME = re.compile(r"\bname\*?=(\"[^\"]*\"|[^;\s]*)", re.IGNORECASE)
COOKIE_HEADERS = {"cookie", "set-cookie"}
COOKIE_ATTRIBUTES = {"path", "domain", "expires", "max-age", "samesite", "priority"}
LONGEST_BODY = 8 * 2**20
BINARY = 2
"""Of WebSocket messages, which are then in base64."""
UNSEEN_BODIES = re.compile(r"^(image|font|audio|video)/|^text/css|javascript")
TOKEN = "redacted:"
SHORTEST = 4
"""A shorter literal would stand in half of all words."""
ADDRESS = re.compile(r"(?:(?:https?|wss?):/)?/[^\s\"'<>\\]+")
"""In a text."""
FRAME_NUMBER = re.compile(r"\d*(?=[\[{])")
"""Of socket.io, before its JSON."""
DONE = re.compile(r"redacted:[0-9a-f]{8}")


class Redactor:
    """Replaces a secret by a token that is the same for the same value, so that sessions can still be told apart."""

    def __init__(self, secrets: Iterable[str], salt: bytes) -> None:
        self._salt = salt
        self._literals: list[tuple[str, Literal]] = []
        self.add(secrets)

    def add(self, secrets: Iterable[str]) -> None:
        """The longest first, since one may be the beginning of another."""
        known = {secret for secret, _ in self._literals}
        known |= {secret for secret in secrets if len(secret) >= SHORTEST}
        self._literals = [(secret, literal(secret)) for secret in sorted(known, key=lambda one: (-len(one), one))]

    def token(self, value: str) -> str:
        if DONE.fullmatch(value):
            return value
        return TOKEN + hashlib.sha256(self._salt + value.encode("utf-8", "replace")).hexdigest()[:8]

    def text(self, text: str) -> str:
        return self._without(self._literals, text)

    def _without(self, literals: list[tuple[str, Literal]], text: str) -> str:
        for secret, written in literals:
            text = written.replace(text, self.token(secret))
        return text

    def content(self, content: bytes) -> bytes:
        """The same for a file of any kind."""
        for secret, written in self._literals:
            content = written.replace_bytes(content, self.token(secret).encode())
        return content

    def value(self, value: Any) -> Any:
        """The same for every string inside a JSON value; keys are ours and stay."""
        return _each(value, self.text)

    def logged(self, value: Any) -> Any:
        """The same for what is only told, where the addresses lose their password-like fields too."""
        return _each(value, lambda text: self.text(ADDRESS.sub(lambda found: self.url(found[0]), text)))

    def record(self, value: Any) -> Any:
        """The same, and what stands under a name like `password`, where the names are a site's own."""
        return self.value(self._named(value))

    def har(self, content: bytes, session_cookies: Collection[str] = (), public_cookies: Collection[str] = ()) -> bytes:
        """A HAR without credentials, the values of all but public cookies, and the bodies of static files."""
        har = msgspec.json.decode(content)
        self.add(_sessions_given(har["log"]["entries"], session_cookies))
        for entry in har["log"]["entries"]:
            for side in (entry["request"], entry["response"]):
                self._fields(side, public_cookies)
            self._addresses(entry)
            self._body(entry["request"].get("postData") or {})
            self._seen_body(entry["response"].get("content", {}))
            for message in entry.get("_webSocketMessages") or ():
                data = message.get("data", "")
                message["data"] = self._in_base64(data) if message.get("opcode") == BINARY else self._frame(data)
        cleaned = msgspec.json.encode(har)
        held = [(secret, written) for secret, written in self._literals if written.occurs(cleaned)]
        return msgspec.json.encode(_each(har, lambda text: self._without(held, text))) if held else cleaned

    def _seen_body(self, body: dict[str, Any]) -> None:
        """Static files and what is longer than any page are left out; what is packed is looked into."""
        if UNSEEN_BODIES.search(body.get("mimeType", "")) or len(body.get("text", "")) > LONGEST_BODY:
            body.pop("text", None)
            body.pop("encoding", None)
        elif body.get("encoding") == "base64":
            body["text"] = self._in_base64(body.get("text", ""))
        elif (text := body.get("text")) and (kept := self._json(text)) is not None:
            body["text"] = kept

    def _frame(self, text: str) -> str:
        """JSON, perhaps after a number."""
        number = FRAME_NUMBER.match(text)
        kept = self._json(text[number.end() :]) if number else None
        return text if number is None or kept is None else number[0] + kept

    def _in_base64(self, text: str) -> str:
        try:
            plain = base64.b64decode(text, validate=True)
        except ValueError:
            return text
        kept = self.content(plain)
        return text if kept == plain else base64.b64encode(kept).decode()

    def _fields(self, side: dict[str, Any], public: Collection[str]) -> None:
        for header in side.get("headers", ()):
            name = header["name"].lower()
            if name in COOKIE_HEADERS:
                header["value"] = "\n".join(self._cookies(line, public) for line in header["value"].split("\n"))
            elif is_secret_name(name):
                header["value"] = self.token(header["value"])
            elif name in URL_HEADERS:
                header["value"] = self.url(header["value"])
        for cookie in side.get("cookies", ()):
            if cookie["name"] not in public:
                cookie["value"] = self.token(cookie["value"])

    def _cookies(self, line: str, public: Collection[str]) -> str:
        """`name=value` pairs keep their names; attributes such as Path and HttpOnly stay."""
        pairs = [pair.partition("=") for pair in line.split(";")]
        return ";".join(
            name + equals + (value if name.strip().lower() in COOKIE_ATTRIBUTES or name.strip() in public or not equals
                             else self.token(value)) for name, equals, value in pairs
        )  # fmt: skip

    def _addresses(self, entry: dict[str, Any]) -> None:
        for side, key in ((entry["request"], "url"), (entry["response"], "redirectURL")):
            if side.get(key):
                side[key] = self.url(side[key])
        self._pairs(entry["request"].get("queryString") or ())

    def url(self, text: str) -> str:
        """A URL, or a text with some, without the values of password-like fields; a token is valid in a query."""
        kept, done = [], 0
        for field in URL_FIELD.finditer(text):
            if field.start() >= done and is_secret_name(unquote_plus(field[1])):
                end = URL_END.search(text, field.end())
                value = text[field.end() : end.start() if end else None]
                kept += [text[done : field.end()], self.token(unquote_plus(value))]
                done = field.end() + len(value)
        return "".join(kept) + text[done:]

    def _pairs(self, fields: Iterable[dict[str, Any]]) -> None:
        for field in fields:
            if is_secret_name(field.get("name", "")):
                field["value"] = self.token(field.get("value", ""))

    def _body(self, body: dict[str, Any]) -> None:
        """The values of password-like fields, whatever they are."""
        self._pairs(body.get("params", ()))
        text, kind = body.get("text", ""), body.get("mimeType", "")
        if "multipart" in kind:
            body["text"] = self._multipart(text, kind)
        elif (kept := self._json(text)) is not None:  # scripts send it under any name
            body["text"] = kept
        elif "urlencoded" in kind or "plain" in kind or not kind:
            body["text"] = FORM_FIELD.sub(self._form_field, text)

    def _form_field(self, match: re.Match[str]) -> str:
        before, name, value = match.groups()
        return f"{before}{name}={self.token(value) if is_secret_name(name) else value}"

    def _multipart(self, text: str, mime_type: str) -> str:
        """Where the header does not name what divides the parts, the first line does."""
        named = BOUNDARY.search(mime_type)
        divider = f"--{named[1]}" if named else text.partition("\n")[0].strip()
        return divider.join(map(self._part, text.split(divider))) if divider else text

    def _part(self, part: str) -> str:
        gap = BLANK_LINE.search(part)
        if gap is None or not any(is_secret_name(name) for name in PART_NAME.findall(part[: gap.start()])):
            return part
        value = part[gap.end() :].rstrip("\r\n")
        return part[: gap.end()] + self.token(value) + part[gap.end() + len(value) :]

    def _json(self, text: str) -> str | None:
        """As it was written where nothing in it has to go; None: it is no object or list."""
        if not text.lstrip().startswith(("{", "[")):
            return None
        try:
            said = json.loads(text)
            kept = self._named(said)
            return text if kept == said else json.dumps(kept, ensure_ascii=False)
        except (ValueError, RecursionError):
            return None

    def _named(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._named(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {key: self.token(str(item)) if is_secret_name(key) and not isinstance(item, dict | list | bool | None)
                else self._named(item) for key, item in value.items()}  # fmt: skip


class Unredacted(Redactor):
    """The same walk over evidence that is kept already: changes nothing, and keeps what stands there in clear."""

    def __init__(self) -> None:
        super().__init__((), b"")
        self.values: list[str] = []

    def token(self, value: str) -> str:
        if value and not value.startswith(TOKEN):
            self.values.append(value)
        return value


class RedactedStream(io.TextIOBase):
    """What is printed, without secrets: by whole lines, since a secret may come in parts."""

    def __init__(self, redactor: Redactor, target: TextIO) -> None:
        self._redactor, self._target, self._line = redactor, target, ""

    def write(self, text: str) -> int:
        *whole, self._line = (self._line + text).rpartition("\n")
        if whole[1]:
            self._target.write(self._redactor.logged("".join(whole)))
        return len(text)

    def flush(self) -> None:
        self._target.flush()

    def fileno(self) -> int:
        return self._target.fileno()


def _sessions_given(entries: list[dict[str, Any]], names: Collection[str]) -> Iterator[str]:
    """Values of session cookies as the site set them: random, and out of a page's reach."""
    for entry in entries:
        for header in entry["response"].get("headers", ()):
            if header["name"].lower() == "set-cookie":
                for line in header["value"].split("\n"):
                    name, _, value = line.split(";")[0].partition("=")
                    if name.strip() in names:
                        yield value


def _each(value: Any, do: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return do(value)
    if isinstance(value, dict):
        return {key: _each(item, do) for key, item in value.items()}
    return [_each(item, do) for item in value] if isinstance(value, list | tuple) else value
