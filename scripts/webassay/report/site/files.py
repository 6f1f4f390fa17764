"""The site's files: written only where they differ, data as scripts, links as browsers want them."""

import json
import os
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from jinja2 import Environment, FunctionLoader, StrictUndefined

from webassay.core.digest import digest
from webassay.core.files import decode_lenient, write_bytes

HERE = resources.files(__package__)
ASSETS = ("report.css", "base.js", "index.js", "tasks.js", "compare.js", "trajectory.js")
LONGEST = 20_000
"""Characters of one text on a page; the whole of it is in the file that the page links."""


def put(path: Path, content: bytes) -> None:
    """A file that is as it should be keeps its time."""
    try:
        if path.read_bytes() == content:
            return
    except OSError:
        pass
    write_bytes(path, content, lasting=False)


def put_script(path: Path, name: str, value: Any) -> None:
    """`window.NAME = value`. Through JSON.parse, since `{"__proto__": …}` means something else in a script."""
    text = encoded(value).decode()
    literal = json.dumps(text, ensure_ascii=False)
    for character in "<\u2028\u2029":
        literal = literal.replace(character, f"\\u{ord(character):04x}")
    put(path, f"window.{name} = JSON.parse({literal});\n".encode())


def encoded(value: Any) -> bytes:
    """Half a surrogate pair, which a model may write and a file may be called, reads as '?'."""
    try:
        return msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:
        return msgspec.json.encode(decode_lenient(json.dumps(value).encode()), order="sorted")


def put_page(path: Path, template: str, **values: Any) -> None:
    put(path, environment().get_template(template).render(**values).encode("utf-8", "replace"))


def put_assets(folder: Path) -> None:
    for name in ASSETS:
        put(folder / "assets" / name, (HERE / "assets" / name).read_bytes())


def link(target: Path, page: Path) -> str:
    """From a page to a file, as a relative address; the file may be called anything."""
    return quote(os.fsencode(os.path.relpath(target, page.parent)))


def shown(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def shown_value(value: Any) -> Any:
    """Of any JSON value, as text where it is long."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)
    return shown(text, 4000)


@cache
def layout_digest() -> str:
    """Of the templates: a page of another layout is made anew."""
    return digest({one.name: one.read_text() for one in (HERE / "templates").iterdir()})


@cache
def environment() -> Environment:
    """Everything is escaped; a name that a template does not get is an error."""
    source = HERE / "templates"
    return Environment(
        loader=FunctionLoader(lambda name: (source / name).read_text()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
