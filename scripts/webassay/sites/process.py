"""A program that serves sites: started on its own port, watched, never outliving the worker that started it."""

import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import psutil

from webassay.config.checkout import LEFT_OUT
from webassay.core.processes import child_environment, die_with_parent
from webassay.core.secret_names import KEY_NAME, credentials, is_secret_name
from webassay.errors import ConfigError, EnvironmentFault

TOKEN = "WEBASSAY_SITE_TOKEN"
"""Environment variable with the word that opens a site's control endpoint; another one for each start."""


def site_variables(environment: dict[str, Any], keys: Collection[str] = ()) -> dict[str, str]:
    """This process's variables but for keys and passwords: a site is foreign code, and agents may look into it."""
    return {
        name: value
        for name, value in child_environment().items()
        if name in environment.get("passes", ())
        or not (is_secret_name(name) or KEY_NAME.search(name) or credentials(value) or value in keys)
    }


class SiteProcess:
    """One copy of an environment's sites, or of the one of them that is named."""

    def __init__(
        self,
        environment: dict[str, Any],
        places: dict[str, Path],
        log: Path,
        site: str = "",
        keys: Collection[str] = (),
    ) -> None:
        self._environment, self._places, self._site, self._keys = environment, places, site, keys
        self.log = log
        self.port = 0
        self.control_port = 0
        self.token = ""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def started(self) -> bool:
        return self._process is not None

    def take_ports(self, offset: int = 0) -> None:
        fixed = self._environment["port"]
        self.port = fixed + offset if fixed else free_port()
        self.control_port = free_port()

    def start(self) -> None:
        """Only starts it: whoever asked waits until its pages are there."""
        self.token = secrets.token_urlsafe(24)
        words = [self.filled(word) for word in self._environment["command"]]
        cwd = self.filled(self._environment["cwd"]) or None
        if cwd and self._environment.get("private_cwd"):
            cwd = self._copy_of(cwd)
        try:
            with self.log.open("wb") as log:
                self._process = subprocess.Popen(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=cwd,
                    preexec_fn=die_with_parent,
                    env=site_variables(self._environment, self._keys) | {TOKEN: self.token},
                )
        except OSError as error:
            what = f"in {cwd}" if error.filename == cwd else repr(words[0])
            raise EnvironmentFault(
                f"the sites of {self._environment['name']!r} cannot be started, {what}: {error.strerror}; "
                "see the environment's command and cwd"
            ) from None

    def _copy_of(self, folder: str) -> str:
        """Made anew for each start, so that nothing of an earlier one is left, nor anything written to the user's."""
        copy = self.log.with_suffix(".copy")
        shutil.rmtree(copy, ignore_errors=True)
        try:
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), ignore_dangling_symlinks=True)
        except OSError as error:  # shutil.Error is one, with all that could not be copied
            raise EnvironmentFault(f"{folder} cannot be copied for a site to run in: {str(error)[:300]}") from None
        return str(copy)

    def filled(self, word: str) -> str:
        """A word of a command or an address with this copy's ports and places put in."""
        values = {
            "python": sys.executable,
            "port": self.port,
            "control_port": self.control_port,
            "site": self._site,
            "path": self._environment["path"],
        }
        try:
            return str(word).format(**values, **self._places)
        except (KeyError, IndexError, ValueError) as error:
            known = ", ".join(f"{{{name}}}" for name in (*values, *self._places))
            raise ConfigError(f"environment: {word!r} asks for {error}; known are {known}") from None

    def listens(self) -> bool:
        """Whether it is this very process that has the port: another run's site would look just as ready."""
        try:
            family = [psutil.Process(self._process.pid)] if self._process else []
            family += [child for process in family for child in process.children(recursive=True)]
            sockets = [socket for process in family for socket in process.net_connections("tcp")]
        except psutil.Error:
            return False
        return any(each.status == psutil.CONN_LISTEN and each.laddr.port == self.port for each in sockets)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self.alive and self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()

    def last_words(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines() if self.log.is_file() else []
        return lines[-1] if lines else "it printed nothing"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
