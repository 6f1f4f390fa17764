"""The program in which a foreign verifier runs: `verifier_guard.py APPLICATION FILE PORT DESCRIPTOR`.

An audit hook, which Python code cannot remove, refuses every connection but those to the application, every file but
those of Python, of the application and of the scratch home, and every other process. Machine code is loaded only from
where Python's packages are; what that does, the hook does not see. The verdict goes to a descriptor of its own, so
that nothing which a verifier prints can be taken for it.
"""

import _posixsubprocess
import importlib
import importlib.util
import json
import os
import site
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
HERE = (HOST, "localhost", None)
BARRED = (
    "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.link", "os.symlink", "pty.spawn",
    "subprocess.Popen", "socket.sendto", "socket.sendmsg", "socket.gethostbyaddr", "socket.getnameinfo",
)  # fmt: skip
MACHINE_CODE = ("ctypes", "_ctypes", "cffi", "_cffi_backend", "_posixsubprocess")
"""Modules that call what no audit hook sees."""
SYSTEM = (
    "/dev/null", "/dev/urandom", "/etc/localtime", "/etc/mime.types", "/etc/ssl/certs", "/usr/share/zoneinfo",
)  # fmt: skip
READERS = ("open", "os.listdir", "os.scandir", "os.chdir")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
WRITERS = ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.chmod", "os.truncate", "shutil.rmtree")


class Guard:
    def __init__(self, application: str, port: int) -> None:
        python = (sys.prefix, sys.base_prefix, *site.getsitepackages(), *filter(None, sys.path))
        self._home = os.path.realpath(os.environ["HOME"])
        self._readable = tuple(map(os.path.realpath, (*python, application, *SYSTEM, self._home)))
        self._places = tuple((name, port) for name in HERE)

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if event in BARRED:
            raise PermissionError(f"a verifier may not use {event}")
        if event == "socket.connect" and (type(args[1]) is not tuple or args[1][:2] not in self._places):
            raise PermissionError(f"a verifier may reach only its application, not {args[1]!r}")
        if event in ("socket.getaddrinfo", "socket.gethostbyname") and args[0] not in HERE:
            raise PermissionError(f"a verifier may reach only its application, not {args[0]!r}")
        if event == "import":
            self._import(args[0], str(args[1] or ""))
        elif event in READERS:
            flags = args[2] if event == "open" else 0
            self._file(args[0], bool(isinstance(flags, int) and flags & WRITING), event == "open" and args[1] is None)
        elif event in WRITERS:
            self._file(args[0], True, False)

    def _import(self, name: str, file: str) -> None:
        if name in MACHINE_CODE or os.path.basename(file).startswith(MACHINE_CODE):
            raise ImportError(f"a verifier may not use {name}")
        if file:
            self._file(file, False, False)

    def _file(self, path: Any, write: bool, by_descriptor: bool) -> None:
        """`by_descriptor`: it may be meant from an open folder, so it must lead nowhere but below that."""
        if isinstance(path, int):
            return  # opened before
        name = os.fsdecode("." if path is None else path)
        real = os.path.realpath(name)
        if by_descriptor and ".." in name.split(os.sep):
            raise PermissionError(f"a verifier may not use .. in {name}")
        allowed = (self._home, "/dev/null") if write else self._readable
        if not any(real == place or real.startswith(place.rstrip(os.sep) + os.sep) for place in allowed):
            raise PermissionError(f"a verifier may {'write' if write else 'read'} no file of others: {name}")


def main(application: str, file: str, port: str, descriptor: str) -> None:
    importlib.import_module("requests")  # what nearly all verifiers use; before the hook, which its parts may meet
    guard = Guard(application, int(port))
    vars(subprocess)["_fork_exec"] = vars(_posixsubprocess)["fork_exec"] = _refuse
    del sys.modules["_posixsubprocess"]
    sys.path.insert(0, str(Path(file).parent))
    sys.path.append(application)
    sys.addaudithook(guard)
    result = _loaded(Path(application), Path(file)).verify(f"http://{HOST}:{port}")
    pair = list(result) if isinstance(result, tuple | list) else []
    said = json.dumps({"kind": type(result).__name__, "result": pair}, default=repr)
    os.write(int(descriptor), said.encode("utf-8", "replace"))
    os._exit(0)  # whatever it left to be done at the end, or in threads


def _refuse(*_: Any) -> None:
    raise PermissionError("a verifier may not use _posixsubprocess.fork_exec")


def _loaded(application: Path, file: Path) -> Any:
    """As a module of a package that is the application's folder, so that it can import what lies beside it."""
    root = types.ModuleType("application")
    root.__path__ = [str(application)]
    sys.modules["application"] = root
    folders = file.relative_to(application).parent.parts
    packaged = not any("." in name for name in folders)
    package = ".".join(("application", *folders)) if packaged else "application"
    importlib.import_module(package)
    name = f"{package}.{file.stem.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for the names in their annotations
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(*sys.argv[1:])
