"""Evidence was redacted when it was taken; before it leaves the house it is looked through once more.

Two ways, as there: no file may hold a password or a key that the configuration names, in any spelling, and in
recordings no field like `password` and no cookie may stand in clear. In configuration files passwords are replaced,
since they decide no number; anywhere else the bundle is refused.
"""

import gzip
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from webassay.config.paths import ExperimentPlan
from webassay.core.files import UNREADABLE
from webassay.errors import BundleError
from webassay.evidence.literals import Literal, literal
from webassay.evidence.redact import SHORTEST, Unredacted
from webassay.evidence.trace import MAX_BYTES, NETWORK
from webassay.report.crate.files import Source

PASSWORD = re.compile(rb"""(\bpassword["']?\s*[:=]\s*)(?!["']?\$?\{|["']?[:=])("[^"\n]*"|'[^'\n]*'|[^\s,}'"\]]+)""")
REPLACED = rb"\1left_out"
LISTED = 5
TELLING = 8
"""A shorter value of a cookie stands in many a text by chance."""
_BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, KeyError)


def redacted(contents: Mapping[str, Source], plan: ExperimentPlan, withheld: Mapping[str, Path]) -> dict[str, Source]:
    """The same without passwords in configuration files; a BundleError that names the files with any other secret.

    `withheld` are recordings that stay here: what they hold in clear may stand elsewhere too, as in a judge's reason.
    """
    secrets, public = known_secrets(plan), _public_cookies(plan)
    for name, path in withheld.items():
        secrets |= _held(name, path, public)
    clean = {name: without_passwords(source, secrets) if name.startswith("config/") else source
             for name, source in contents.items()}  # fmt: skip
    found = [f"{name} {what}" for name, source in clean.items() for what in _told(name, source, secrets, public)]
    if found:
        more = f"; and {len(found) - LISTED} more" if len(found) > LISTED else ""
        raise BundleError(f"nothing was written: {'; '.join(found[:LISTED])}{more}")
    return clean


def known_secrets(plan: ExperimentPlan) -> dict[str, Literal]:
    """Passwords of accounts and keys of models, by what they are called, in all spellings."""
    named: dict[str, str] = {}
    for run in plan.runs:
        accounts = run.config["environment"]["accounts"]
        named |= {f"the password of account {name}": str(account["password"]) for name, account in accounts.items()}
        for model in (run.config["model"], run.config["judge"].get("model") or {}):
            if (variable := model.get("api_key_env")) and (key := os.environ.get(variable)):
                named[f"the key in {variable}"] = key
    return {name: literal(value) for name, value in named.items() if len(value) >= SHORTEST}


def without_passwords(source: Source, secrets: Mapping[str, Literal]) -> Source:
    content = source if isinstance(source, bytes) else source.read_bytes()
    replaced = PASSWORD.sub(REPLACED, content)
    for secret in secrets.values():
        replaced = secret.replace_bytes(replaced, b"left_out")
    return source if replaced == content else replaced


def _public_cookies(plan: ExperimentPlan) -> set[str]:
    sites = [site for run in plan.runs for site in run.config["environment"]["sites"].values()]
    return {name for site in sites for name in site["public_cookies"]} - {site["session_cookie"] for site in sites}


def _told(name: str, source: Source, secrets: Mapping[str, Literal], public: set[str]) -> Iterator[str]:
    try:
        for part, content in _plain(name, source if isinstance(source, bytes) else source.read_bytes()):
            where = f"({part}) " if part else ""
            for called, secret in secrets.items():
                if secret.occurs(content):
                    yield f"{where}holds {called}"
            if found := _in_clear(part or PurePosixPath(name).name, content, public):
                yield f"{where}holds {len(found)} passwords, tokens or cookies that were never redacted"
    except (*_BROKEN, *UNREADABLE, TypeError, AttributeError, ValueError) as error:
        yield f"cannot be looked through for secrets ({type(error).__name__}: {str(error)[:100]})"


def _held(name: str, path: Path, public: set[str]) -> dict[str, Literal]:
    """What a recording that cannot be read holds, nothing was made of."""
    try:
        parts = [(part or path.name, content) for part, content in _plain(name, path.read_bytes())]
        values = {value for part, content in parts for value in _in_clear(part, content, public)}
    except (*_BROKEN, *UNREADABLE, TypeError, AttributeError, ValueError):
        return {}
    telling = sorted(value for value in values if len(value) >= TELLING)
    called = f"a password, token or cookie that {name} was never redacted of"
    return {f"{called} ({number})": literal(value) for number, value in enumerate(telling, 1)}


def _plain(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """What is packed, unpacked; of a zip each member by its name."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                if member.file_size > MAX_BYTES:
                    raise RuntimeError(f"{member.filename} is too large")
                yield member.filename, archive.read(member)
        return
    yield "", gzip.decompress(content) if name.endswith(".gz") else content


def _in_clear(name: str, content: bytes, public: set[str]) -> list[str]:
    """In recordings of the network and of what changed in a site's database."""
    found = Unredacted()
    if name.endswith(".har"):
        found.har(content, public_cookies=public)
    elif name == NETWORK:
        lines = (msgspec.json.decode(line) for line in content.splitlines() if line.strip())
        entries = [line["snapshot"] for line in lines if line.get("type") == "resource-snapshot"]
        found.har(msgspec.json.encode({"log": {"entries": entries}}), public_cookies=public)
    elif name == "state.json":
        state: dict[str, Any] = msgspec.json.decode(content)
        found.record(state.get("changes"))
    return found.values
