"""The formats by name: which files tell of a trajectory, how it is read, how one is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from webassay.core.trajectory import Trajectory
from webassay.errors import ConfigError
from webassay.exchange import agentlab, atif, atif_again, om2w, webarena_verified, webeval, webvoyager
from webassay.exchange.source import Source
from webassay.exchange.trajectory import Imported, LeftOut

Documents = Callable[[Sequence[str]], list[str]]
"""Names in a folder -> those of them that stand for a trajectory each; only one where the folder is the trajectory."""
Read = Callable[[Source, str], Imported]
Write = Callable[[Source, Trajectory, Path], list[LeftOut]]


@dataclass(frozen=True)
class Format:
    about: str
    documents: Documents
    read: Read
    write: Write | None = None
    """None: import only."""


FORMATS = {
    "webeval": Format("web_surfer.log, <id>_final_answer.json", webeval.documents, webeval.read, webeval.write),
    "webassay": Format("webeval's files and ours", webeval.documents, webeval.read_ours),
    "om2w": Format("Online-Mind2Web: result.json, trajectory/", om2w.documents, om2w.read, om2w.write),
    "webvoyager": Format("interact_messages.json, screenshotN.png", webvoyager.documents, webvoyager.read),
    "agentlab": Format("AgentLab and BrowserGym: summary_info.json, step_N.json", agentlab.documents, agentlab.read),
    "webarena_verified": Format(
        "<id>/agent_response.json, network.har", webarena_verified.documents, webarena_verified.read,
        webarena_verified.write,
    ),
    "atif": Format("Harbor's trajectory.json, ATIF 1.0 to 1.7", atif.documents, atif.read, atif_again.write),
}  # fmt: skip
EXPORTS = tuple(name for name, one in FORMATS.items() if one.write)


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise ConfigError(f"--format {name}: no such format; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def detect(folders: Sequence[Sequence[str]], where: Path) -> str:
    """The one format whose files are there, by the names in each folder."""
    ours = any("web_surfer.log" in names and "attempt.json" in names for names in folders)
    if ours or any("web_surfer.log" in names for names in folders):
        return "webassay" if ours else "webeval"
    found = [name for name in FORMATS if any(FORMATS[name].documents(names) for names in folders)]
    told = [name for name in found if name != "agentlab" or any(agentlab.SUMMARY in names for names in folders)]
    told = [name for name in told if FORMATS[name].documents is not webeval.documents] or told[:1]  # no log, as above
    if len(told) != 1:
        what = f"could be {' or '.join(told)}" if told else "no files of a known format in it"
        raise ConfigError(f"{where}: {what}; give --format ({', '.join(FORMATS)})")
    return told[0]
