"""LaTeX that compiles, or where there is no compiler, LaTeX whose parts close."""

import re
import shutil
import subprocess
from pathlib import Path

SPECIAL = re.compile(r"(?<!\\)[%#_^~]|(?<!\\)&(?=[^ ])")


def check(document: Path) -> None:
    """A whole document with the files beside it."""
    if compiler := shutil.which("pdflatex"):
        words = [compiler, "-interaction=nonstopmode", "-halt-on-error", document.name]
        done = subprocess.run(words, cwd=document.parent, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
    text = document.read_text()
    for name in re.findall(r"\\input\{(.+?)\}", text):
        check_structure((document.parent / f"{name}.tex").read_text())
    for name in re.findall(r"\\includegraphics\[.*?\]\{(.+?)\}", text):
        assert (document.parent / f"{name}.pdf").is_file()
    check_structure(text)


def check_structure(text: str) -> None:
    open_environments: list[str] = []
    for word, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if word == "begin":
            open_environments.append(name)
        else:
            assert open_environments.pop() == name
    assert not open_environments
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    for line in text.splitlines():
        if line.endswith(r"\\") and " & " in line:
            assert not SPECIAL.search(re.sub(r"\$\\?\w*[<>+]?\$", "", line)), line
            assert not line.startswith(("[", "*"))
