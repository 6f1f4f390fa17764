"""Bundles as files: written the same every time, and opened only when each file is what the manifest says.

`manifest-sha256.txt` lists all other files, `ro-crate-metadata.json` included, as `sha256sum -c` reads it. So every
byte that is changed later is told, and by the name of its file.
"""

import filecmp
import hashlib
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from webassay.core.digest import file_digest
from webassay.core.files import require_space
from webassay.errors import BundleError, ConfigError
from webassay.exchange.archive import unpacked
from webassay.exchange.place import LOCK, place, workplace

MANIFEST, METADATA = "manifest-sha256.txt", "ro-crate-metadata.json"
LINE = re.compile(r"([0-9a-f]{64})  ([^\x00-\x1f\x7f]+)")
PACKED = (".png", ".jpg", ".jpeg", ".webp", ".gz", ".zip")
"""Smaller they do not get."""
MANIFEST_BYTES = 256 * 2**20

Source = Path | bytes


def sha256_of(source: Source) -> str:
    return hashlib.sha256(source).hexdigest() if isinstance(source, bytes) else file_digest(source)


def size_of(source: Source) -> int:
    return len(source) if isinstance(source, bytes) else source.stat().st_size


def write_bundle(contents: Mapping[str, Source], out: Path) -> bool:
    """A zip or a folder, whole or not at all; False where the same stands there already."""
    for name in contents:
        if not LINE.fullmatch(f"{'0' * 64}  {name}"):
            raise BundleError(f"{name!r}: a file with such a name cannot be listed; rename it")
    out.parent.mkdir(parents=True, exist_ok=True)
    require_space(out.parent)
    ordered = {name: contents[name] for name in sorted(contents, key=lambda name: (name != METADATA, name))}
    if out.suffix == ".zip":
        return _write_zip(ordered, out)
    return place(out.parent, out.name, "", lambda folder: _write_folder(ordered, folder)) == "written"


def _write_zip(contents: Mapping[str, Source], out: Path) -> bool:
    handle, beside = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    try:
        with os.fdopen(handle, "w+b") as stream, zipfile.ZipFile(stream, "w") as archive:
            digests = {name: _add(archive, name, source) for name, source in contents.items()}
            _add(archive, MANIFEST, _manifest(digests))
        os.chmod(beside, 0o644)
        if out.exists() and not filecmp.cmp(beside, out, shallow=False):
            raise BundleError(f"{out} is there already and differs; move it away, or choose another --out")
        fresh = not out.exists()
        os.replace(beside, out)
        return fresh
    finally:
        Path(beside).unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, name: str, source: Source) -> str:
    """Neither times nor owners; returns the digest of what was written."""
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o644 << 16
    member.create_system = 3
    member.compress_type = zipfile.ZIP_STORED if name.endswith(PACKED) else zipfile.ZIP_DEFLATED
    member.file_size = size_of(source)
    with archive.open(member, "w") as target:
        return _copy(source, target)


def _write_folder(contents: Mapping[str, Source], folder: Path) -> None:
    digests = {}
    for name, source in contents.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as stream:
            digests[name] = _copy(source, stream)
    (folder / MANIFEST).write_bytes(_manifest(digests))


def _copy(source: Source, target: IO[bytes]) -> str:
    if isinstance(source, bytes):
        target.write(source)
        return sha256_of(source)
    sha256 = hashlib.sha256()
    with source.open("rb") as stream:
        while chunk := stream.read(2**20):
            sha256.update(chunk)
            target.write(chunk)
    return sha256.hexdigest()


def _manifest(digests: Mapping[str, str]) -> bytes:
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(digests.items())).encode()


@contextmanager
def opened(bundle: Path, dest: Path) -> Iterator[Path]:
    """The bundle's files, for as long as the block runs; `dest` is made, and has to be new or empty."""
    if os.path.lexists(dest) and (dest.is_symlink() or not dest.is_dir() or any(dest.iterdir())):
        raise ConfigError(f"{dest} is there already; DEST has to be a new folder or an empty one")
    if not bundle.is_dir() and not (bundle.is_file() and bundle.name.endswith(".zip")):
        raise ConfigError(f"{bundle}: neither a .zip nor a folder")
    try:
        with workplace(dest):
            if bundle.is_dir():
                yield bundle
            else:
                with unpacked(bundle, dest) as root:
                    yield root
    finally:
        if os.listdir(dest) == [LOCK]:  # of a bundle that was refused nothing stays
            shutil.rmtree(dest)


def differences(root: Path) -> list[str]:
    """Of the files from what the manifest says; empty when all are as they were bundled."""
    listed, present = _listed(root), set(_present(root))
    wrong = [f"{name}: missing" for name in sorted(listed.keys() - present)]
    wrong += [f"{name}: not in {MANIFEST}" for name in sorted(present - listed.keys())]
    for name in sorted(present & listed.keys()):
        if (found := file_digest(root / name)) != listed[name]:
            wrong.append(f"{name}: changed: its sha256 is {found[:16]}…, {MANIFEST} says {listed[name][:16]}…")
    return wrong


def _listed(root: Path) -> dict[str, str]:
    path = root / MANIFEST
    if path.is_symlink() or not path.is_file():
        raise BundleError(f"there is no {MANIFEST}: not a bundle of webassay")
    if path.stat().st_size > MANIFEST_BYTES:
        raise BundleError(f"{MANIFEST}: too large to be one")
    found: dict[str, str] = {}
    for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n")[:-1], 1):
        match = LINE.fullmatch(line)
        if match is None or match[2] in found or not _is_inside(match[2]):
            raise BundleError(f"{MANIFEST}, line {number}: {line[:120]!r} names no file of a bundle")
        found[match[2]] = match[1]
    return found


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and str(path) == name


def _present(root: Path) -> Iterator[str]:
    for parent, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(parent, name)
            where = path.relative_to(root).as_posix()
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise BundleError(f"{where[:200]!r} is neither a file nor a folder; a bundle has no links")
            if name in files and where != MANIFEST:
                yield where


def take(source: Path, target: Path, keep: bool) -> None:
    """Into DEST; `keep` leaves the source as it is."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if keep:
        shutil.copyfile(source, target)
    else:
        source.rename(target)
