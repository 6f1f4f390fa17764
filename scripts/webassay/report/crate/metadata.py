"""`ro-crate-metadata.json`: RO-Crate 1.2 with the Workflow Run Crate profile, so that other tools find their way.

Plain JSON-LD: what is described are the workflow, the run, its inputs and its results; trajectories and replies are
described as folders. Digests of all files are in the manifest.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

import msgspec

from webassay.core.trajectory import Trajectory
from webassay.report.crate.contents import LOCK, Finished
from webassay.report.crate.files import MANIFEST, METADATA, Source, sha256_of, size_of
from webassay.report.crate.shared_plan import PLAN, PROMPTS, REPLIES

Entity = dict[str, Any]
CONTEXT = "https://w3id.org/ro/crate/1.2/context"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
WORKFLOW, SNAKEMAKE = "Snakefile", "https://snakemake.github.io"
BIOSCHEMAS = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
LICENCES = "https://spdx.org/licenses/"
ENCODINGS = {
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".tex": "text/x-tex",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".yaml": "application/yaml",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".html": "text/html",
}
ABOUT = {
    PLAN: "The experiment's plan as it was composed: each run, each judge and the digests that decide paths",
    "experiment.yaml": "What was asked for, and every field that decided a path",
    "scores.csv": "One row for each run, judge and task",
    "metrics.json": "Success rates with their denominators",
    "tasks.jsonl": "The run's tasks, in WebArena Verified's form",
    "run.yaml": "The fields that decided where the run lies",
    "manifest.json": "A dataset by the sha256 of its content; the data are not part of the bundle",
    "requirements.lock": "The packages that the workflow runs with",
}


def metadata(contents: Mapping[str, Source], done: Finished, licence: str | None) -> bytes:
    files = [_file(name, source) for name, source in sorted(contents.items()) if _is_described(name, done)]
    folders = list(_folders(contents, done))
    ids = {each["@id"] for each in (*files, *folders)}
    results = [each["@id"] for each in files if _is_result(each["@id"], done)]
    objects = [each for each in ids if each.startswith(("config/", "results/datasets/")) or each in (PLAN, LOCK)]
    described = [_descriptor(), _root(done, [*sorted(ids), MANIFEST], licence), *_profiles(), *_licence(licence)]
    described += [*_workflow(contents[WORKFLOW]), _action(done, sorted(objects), results), _user(done), _manifest()]
    graph = [*described, *files, *folders]
    return msgspec.json.format(msgspec.json.encode({"@context": CONTEXT, "@graph": graph}), indent=1) + b"\n"


def _descriptor() -> Entity:
    about = {"conformsTo": _ref("https://w3id.org/ro/crate/1.2"), "about": _ref("./")}
    return {"@id": METADATA, "@type": "CreativeWork", **about}


def _root(done: Finished, parts: list[str], licence: str | None) -> Entity:
    systems = ", ".join(dict.fromkeys(run.columns["system"] for run in done.plan.runs))
    judges = ", ".join(done.plan.judges)
    benchmarks = ", ".join(dict.fromkeys(run.columns["benchmark"] for run in done.plan.runs))
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"webassay experiment {done.plan.folder.name}",
        "description": f"Web agents ({systems}) on {benchmarks}, judged by {judges}: tasks, trajectories, scores and "
        "tables. `webassay reproduce` judges them again and compares.",
        "datePublished": _ended(done)[:10],
        "license": _ref(f"{LICENCES}{licence}") if licence else _ref("#no-licence"),
        "author": _ref("#user"),
        "conformsTo": [_ref(profile) for profile in PROFILES],
        "mainEntity": _ref(WORKFLOW),
        "mentions": _ref("#run"),
        "hasPart": [_ref(part) for part in (WORKFLOW, *parts)],
    }


def _profiles() -> Iterator[Entity]:
    for profile, (name, number) in PROFILES.items():
        yield {"@id": profile, "@type": ["CreativeWork", "Profile"], "name": name, "version": number}


def _licence(licence: str | None) -> Iterator[Entity]:
    if licence:
        yield {"@id": f"{LICENCES}{licence}", "@type": "CreativeWork", "name": licence, "description": "By SPDX"}
    else:
        said = "Whoever made this bundle named no licence: ask before you use it beyond reading and checking."
        yield {"@id": "#no-licence", "@type": "CreativeWork", "name": "No licence was named", "description": said}


def _workflow(source: Source) -> Iterator[Entity]:
    yield _file(WORKFLOW, source) | {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "webassay",
        "description": "Fetch, tasks, execute, retry, verify, aggregate, report",
        "version": version("webassay"),
        "conformsTo": _ref(BIOSCHEMAS),
        "programmingLanguage": _ref(SNAKEMAKE),
    }
    yield {
        "@id": SNAKEMAKE,
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "url": _ref(SNAKEMAKE),
        "version": version("snakemake"),
    }
    yield {"@id": BIOSCHEMAS, "@type": "CreativeWork", "name": "ComputationalWorkflow", "version": "1.0-RELEASE"}


def _action(done: Finished, objects: Iterable[str], results: Iterable[str]) -> Entity:
    return {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"The experiment {done.plan.name}",
        "description": f"Judged by {', '.join(done.judged_by)}",
        "instrument": _ref(WORKFLOW),
        "agent": _ref("#user"),
        "startTime": _started(done),
        "endTime": _ended(done),
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "object": [_ref(each) for each in objects],
        "result": [_ref(each) for each in results],
    }


def _user(done: Finished) -> Entity:
    return {"@id": "#user", "@type": "Person", "name": done.plan.runs[0].parts[2]}


def _manifest() -> Entity:
    about = {"name": MANIFEST, "description": "The sha256 of every other file, for `sha256sum -c`"}
    return {"@id": MANIFEST, "@type": "File", **about, "encodingFormat": "text/plain"}


def _file(name: str, source: Source) -> Entity:
    path = PurePosixPath(name)
    about = ABOUT.get(path.name, "")
    entity = {"@id": _id(name), "@type": "File", "name": path.name, "description": about or name}
    facts = {"contentSize": str(size_of(source)), "sha256": sha256_of(source)}
    return entity | {"encodingFormat": ENCODINGS.get(path.suffix, "text/plain"), **facts}


def _is_described(name: str, done: Finished) -> bool:
    """Not what lies in the folders that are described as such, nor the workflow itself."""
    return name != WORKFLOW and not any(name.startswith(folder) for folder, *_ in _closed(done))


def _closed(done: Finished) -> Iterator[tuple[str, str, str]]:
    """Folders whose files are not described one by one."""
    for run in done.plan.by_run.values():
        yield f"{run.folder.as_posix()}/traj/", run.run, "Trajectories, a folder for each task, with their scores"
        yield f"{run.folder.as_posix()}/executed/", run.run, "Which tasks were attempted"
        yield f"{run.folder.as_posix()}/settled/", run.run, "Which tasks were attempted, with those tried again"
    yield f"{REPLIES}/", "Replies", "What models answered to judges, each by the digest of its question"
    yield f"{done.plan.folder.as_posix()}/report/", "Report", "The experiment as pages; open index.html"
    yield f"{PROMPTS}/", "Prompts", "What judges say to models, where it is not the package's"
    yield "rules/", "Rules", "The workflow's rules"


def _folders(contents: Mapping[str, Source], done: Finished) -> Iterator[Entity]:
    for folder, name, about in _closed(done):
        if any(each.startswith(folder) for each in contents):
            yield {"@id": _id(folder), "@type": "Dataset", "name": name, "description": about}


def _is_result(identifier: str, done: Finished) -> bool:
    folder = done.plan.folder.as_posix()
    return identifier.startswith(f"{_id(folder)}/") or identifier.endswith(("/scores.csv", "/metrics.json"))


def _id(name: str) -> str:
    return quote(name, safe="/-._~@!$&'()*+,;=")


def _ref(identifier: str) -> Entity:
    return {"@id": identifier}


def _started(done: Finished) -> str:
    folders = {each.folder for each in done.judged}
    times = [Trajectory.from_folder(folder, strict=False).times for folder in folders]
    return _moment(min((each.start_time for each in times if each), default=_last(done)))


def _ended(done: Finished) -> str:
    return _moment(_last(done))


def _last(done: Finished) -> float:
    return max(each.sidecar.judged_at for each in done.judged)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()
