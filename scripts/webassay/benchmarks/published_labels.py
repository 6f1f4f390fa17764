"""Published verdicts and human labels of other projects -> labels, as `analysis.labels=om2w:FOLDER` or `arb:FILE` asks.

from webassay.benchmarks.published_labels import load_labels
from webassay.stats.labels import labels_csv
print(labels_csv(load_labels("om2w", paths)))
"""

import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webassay.core.files import UNREADABLE
from webassay.errors import LabelsError
from webassay.stats.labels import Kind, Label, check_labels, read_labels

HUMAN_LABEL = "_human_label"
OM2W_HUMAN = {"0": "failure", "1": "success", "2": "not executable"}
ARB_HUMAN = {"Successful": "success", "Unsuccessful": "failure", "Unsure": "unsure"}
VERDICT = {0: "failure", 1: "success"}


def load_labels(form: str, paths: Sequence[Path]) -> list[Label]:
    """Of files in one of three forms: `csv` (ours), `om2w` (Online-Mind2Web), `arb` (AgentRewardBench)."""
    labels = {"csv": _csv, "om2w": _om2w, "arb": _arb}[form](paths)
    if not labels:
        raise LabelsError(f"{paths[0].parent}: no verdicts of form {form}")
    check_labels(labels)
    return labels


def _csv(paths: Sequence[Path]) -> list[Label]:
    return [label for path in paths for label in read_labels(path)]


def _om2w(paths: Sequence[Path]) -> list[Label]:
    """`human_label.json` and `webjudge_<model>/<agent>_results.json[.gz]`; agents without a result file are left out.

    An item is an agent's run of a task, a cluster the task. 300 tasks count for each agent, judged or not.
    """
    (tasks,) = [_records(path) for path in paths if path.name == "human_label.json"]
    agents = {path: _agent(path, tasks) for path in paths if path.name != "human_label.json"}
    humans = [_om2w_human(task, agent) for agent in dict.fromkeys(agents.values()) for task in tasks]
    known = {label.item: label for label in humans}
    verdicts = [_om2w_verdict(record, agents[path], path, known) for path in agents for record in _records(path)]
    return [*humans, *verdicts]


def _agent(path: Path, tasks: "list[_Record]") -> str:
    """`Agent-E` for `agente_results.json`: letters and digits are what the two spellings share."""
    asked = _plain(path.name.partition("_results.json")[0])
    keys = tasks[0].value if tasks and isinstance(tasks[0].value, dict) else ()
    names = [str(key).removesuffix(HUMAN_LABEL) for key in keys if str(key).endswith(HUMAN_LABEL)]
    for name in names:
        if _plain(name) == asked:
            return name
    raise LabelsError(f"{path}: human_label.json knows no such agent; it has {', '.join(names)}")


def _plain(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


class _Record(msgspec.Struct, frozen=True):
    value: Any
    where: str

    def read(self, key: str, of: dict[Any, str]) -> str:
        """What the value under a key is called here."""
        found = self.get(key)
        try:
            return of[found]
        except (KeyError, TypeError):
            raise LabelsError(f"{self.where}: {key} is {found!r}, expected one of {list(of)}") from None

    def get(self, key: str) -> Any:
        if not isinstance(self.value, dict) or key not in self.value:
            raise LabelsError(f"{self.where}: no {key}")
        return self.value[key]


def _om2w_human(task: _Record, agent: str) -> Label:
    task_id, level = str(task.get("task_id")), str(task.value.get("level", ""))
    strata = {"stratum_agent": agent}
    if level:
        strata |= {"stratum_level": level, "stratum_agent_level": f"{agent}, {level}"}
    label = task.read(agent + HUMAN_LABEL, OM2W_HUMAN)
    return Label(f"{agent}/{task_id}", "human", label, "human", cluster=task_id, strata=strata, where=task.where)


def _om2w_verdict(record: _Record, agent: str, path: Path, known: dict[str, Label]) -> Label:
    item = f"{agent}/{record.get('task_id')}"
    if item not in known:
        raise LabelsError(f"{record.where}: task {record.get('task_id')!r} is not in human_label.json")
    return msgspec.structs.replace(
        known[item],
        rater=path.parent.name,
        label=record.read("final_eval", VERDICT),
        kind="judge",
        where=record.where,
    )


def _arb(paths: Sequence[Path]) -> list[Label]:
    """One trajectory a line, with `human_success` and `judges.<name>.published_verdict`; those nobody judged are left
    out (the published figures are of the test split)."""
    records = [record for path in paths for record in _records(path)]
    return [label for record in records for label in _arb_labels(record)]


def _arb_labels(record: _Record) -> Iterator[Label]:
    judges = record.get("judges")
    if not isinstance(judges, dict):
        raise LabelsError(f"{record.where}: judges is no object")
    verdicts = {str(name): _Record(judge, f"{record.where}, {name}") for name, judge in judges.items()}
    verdicts = {name: judge for name, judge in verdicts.items() if judge.get("published_verdict") is not None}
    if not verdicts:
        return
    group, agent = str(record.get("group")), str(record.get("agent"))
    strata = {"stratum_benchmark": group, "stratum_agent": agent, "stratum_benchmark_agent": f"{group}, {agent}"}
    task_id = str(record.get("task_id"))

    def label(rater: str, said: str, kind: Kind) -> Label:
        return Label(f"{agent}/{task_id}", rater, said, kind, cluster=task_id, strata=strata, where=record.where)

    yield label("human", record.read("human_success", ARB_HUMAN), "human")
    for name, judge in verdicts.items():
        yield label(name, judge.read("published_verdict", VERDICT), "judge")


def _records(path: Path) -> list[_Record]:
    """A JSON array, or an object a line; gzip by its name."""
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        if content.lstrip().startswith(b"["):
            return [_Record(value, f"{path}, entry {at}") for at, value in enumerate(msgspec.json.decode(content), 1)]
        lines = enumerate(io.BytesIO(content), 1)
        return [_Record(msgspec.json.decode(line), f"{path}, line {at}") for at, line in lines if line.strip()]
    except (*UNREADABLE, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise LabelsError(f"{path}: not valid JSON ({error})") from None
