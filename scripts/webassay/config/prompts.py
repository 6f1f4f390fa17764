"""What judges say to models: text files in a folder, whose content is a part of the judge's identity."""

from functools import lru_cache
from pathlib import Path
from string import Template

from webassay.core.digest import file_digest
from webassay.errors import ConfigError

HERE = Path(__file__).resolve().parents[1] / "judges" / "prompts"


def prompts_folder(name: str) -> Path:
    """That of the package by its name, or a user's own by its path."""
    folder = HERE / name if "/" not in name else Path(name).expanduser()
    if not any(folder.glob("*.txt")):
        known = ", ".join(sorted(path.name for path in HERE.iterdir() if path.is_dir()))
        raise ConfigError(f"judge.prompts={name}: no folder with *.txt files; the package has {known}")
    return folder


def prompt_digests(name: str) -> dict[str, str]:
    """By file; the path itself is nobody's identity."""
    return {path.name: file_digest(path) for path in sorted(prompts_folder(name).glob("*.txt"))}


def filled(name: str, file: str, **values: str | int) -> str:
    """The prompt with the values in place of `$name`; what it does not use is left out."""
    try:
        return _template(name, file).substitute(values)
    except (KeyError, ValueError) as error:
        raise ConfigError(
            f"judge.prompts={name}: {file}.txt: {error} cannot be filled in; known are ${', $'.join(values)}"
        ) from None


@lru_cache
def _template(name: str, file: str) -> Template:
    path = prompts_folder(name) / f"{file}.txt"
    try:
        return Template(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        raise ConfigError(f"judge.prompts={name}: {path} is missing; this judge needs it") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None
