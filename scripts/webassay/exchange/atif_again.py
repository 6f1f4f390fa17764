"""A trajectory as an ATIF document: the one that it came in as, with every field, or one made of its events."""

from pathlib import Path

import webassay
from webassay.core.trajectory import Trajectory
from webassay.exchange import atif_out
from webassay.exchange.atif import ORIGINAL, pictures, read_document
from webassay.exchange.atif_out import IMAGES, MEDIA, OURS, TRAJECTORY
from webassay.exchange.outgoing import copy_frames, other_files
from webassay.exchange.source import Source
from webassay.exchange.trajectory import RECORD, JsonObject, LeftOut, write_readable


def write(source: Source, trajectory: Trajectory, folder: Path) -> list[LeftOut]:
    record = source.json(RECORD) if {ORIGINAL, RECORD} <= {*source.names()} else None
    if not isinstance(record, dict) or record.get("format") != "atif":
        return atif_out.write(source, trajectory, folder)
    document, known = read_document(source, ORIGINAL)
    left_out = _pictures(document, source, trajectory, folder)
    mine = {"version": webassay.__version__, "task_id": trajectory.task_id, "outcome": trajectory.outcome}
    document["extra"] = (known.extra or {}) | {OURS: mine}
    write_readable(folder / TRAJECTORY, document)
    why = "an ATIF document has no place for it"
    return [*left_out, *other_files(source, trajectory, why, held=("times.json", ORIGINAL))]


def _pictures(document: JsonObject, source: Source, trajectory: Trajectory, folder: Path) -> list[LeftOut]:
    """Under new names, put into the document; the numbers of an import are those of their places in it."""
    frames, left_out = copy_frames(source, trajectory, folder / IMAGES, "{:03}")
    refused = {one.what for one in left_out}
    brought = [path.stem for path in trajectory.screenshots if path.name not in refused]
    names = dict(zip(brought, frames, strict=True))
    for number, image in enumerate(pictures(document), 1):
        if frame := names.get(f"screenshot_{number}"):
            image |= {"path": f"{IMAGES}/{frame.name}", "media_type": MEDIA[frame.suffix]}
        else:
            left_out.append(LeftOut(image["path"], "a picture that did not come in"))
    return left_out
