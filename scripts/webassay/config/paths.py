"""Where every result lives: a run's folder, an experiment's folder, and the files in them."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from webassay.config import inputs
from webassay.config.naming import judge_names
from webassay.core.digest import digest
from webassay.errors import ConfigError

RESULTS = Path("results")
PAPER_SHEETS = (
    *(f"table_{number}" for number in range(1, 19)),
    *("figure_2", "figure_13", "templates", "verified_tasks", "power", "paper_status"),
)
"""The two with figures' names are those figures' numbers."""
PAPER_AGENTS = ("sites", "full_and_hard")
"""Tables of agents that the paper has not."""
SUBSET_SHEETS = ("table_7", "table_8", "table_10", "table_11", "table_12")
SUBSET_FIGURES = tuple(f"figure_{number}" for number in range(3, 10))
PAPER_FIGURES = ("figure_2", *SUBSET_FIGURES, "figure_13")


@dataclass(frozen=True)
class DatasetPlan:
    name: str
    source: str
    sha256: str

    @property
    def folder(self) -> Path:
        return RESULTS / "datasets" / f"{self.name}-{self.sha256[:8]}"

    @property
    def manifest(self) -> Path:
        return self.folder / "manifest.json"


@dataclass(frozen=True)
class RunPlan:
    """One configuration with the paths that its digests give; several judges share a run's folder."""

    config: dict[str, Any]
    """Fully resolved, runtime fields included."""
    identity: dict[str, Any]
    """The fields that decide the paths."""
    parts: tuple[str, str, str, str, str]
    """system / model / user / benchmark / run_id, webeval's layout."""
    eval_hash: str
    tasks_digest: str
    """Of all that the list of tasks is made from; not a part of the run's path."""
    benchmark_data: DatasetPlan
    environment_data: DatasetPlan | None
    model_data: DatasetPlan | None = None
    """Weights of a model in the box."""
    judge_data: DatasetPlan | None = None
    """Those of a judge's."""

    @property
    def run(self) -> str:
        return "/".join(self.parts)

    @property
    def folder(self) -> Path:
        return RESULTS / "runs" / self.run

    @property
    def datasets(self) -> list[DatasetPlan]:
        data = (self.benchmark_data, self.environment_data, self.model_data)
        return list(dict.fromkeys(each for each in data if each))

    @property
    def judges_datasets(self) -> list[DatasetPlan]:
        return [self.judge_data] if self.judge_data else []

    @property
    def looks_at_screenshots(self) -> bool:
        """The judge asks a model about them."""
        return "images" in self.config["judge"]

    @property
    def seeded_database(self) -> Path | None:
        data = self.environment_data
        database = str(self.config["environment"]["database"])
        return data.folder / database if data and database else None

    @property
    def described(self) -> dict[str, Any]:
        """The fields that decided the path of the run: all but those of judge and analysis."""
        return {key: value for key, value in self.identity.items() if key not in ("judge", "analysis")}

    @property
    def analysis(self) -> dict[str, Any]:
        """What the report's numbers depend on; what is counted for the paper alone has a path of its own."""
        return {key: value for key, value in self.identity["analysis"].items() if key != "tasks"}

    @property
    def scores(self) -> Path:
        return self.folder / self.eval_hash / "scores.csv"

    @property
    def columns(self) -> dict[str, str]:
        """What a row of scores says of the run it belongs to."""
        names = {key: str(self.config[key]["name"]) for key in ("system", "model", "benchmark", "judge")}
        return names | {"run_id": self.parts[4], "eval_hash": self.eval_hash, "run": self.run}


@dataclass(frozen=True)
class PaperPlan:
    """The paper's tables and figures: of the released tasks, of published outcomes, of an experiment's own runs."""

    tasks: DatasetPlan
    outcomes: Path | None
    analysis: dict[str, Any]
    """Of the identity, so that a path does not depend on where a file lies."""
    runs: tuple[RunPlan, ...]
    """Those on WebArena's tasks, in either form."""
    versions: dict[str, int]
    """Of the code that answers and judges without a browser."""

    @property
    def has_agents(self) -> bool:
        return bool(self.outcomes or self.runs)

    @property
    def sheets(self) -> tuple[str, ...]:
        return (*PAPER_SHEETS, *(PAPER_AGENTS if self.has_agents else ()))

    @property
    def folder(self) -> Path:
        runs = [[plan.run, plan.eval_hash, plan.tasks_digest] for plan in self.runs]
        key = digest([self.tasks.sha256, self.analysis, runs, self.versions])
        return RESULTS / "paper" / f"{self.tasks.name}-{key[:8]}"


@dataclass(frozen=True)
class ExperimentPlan:
    name: str
    runs: tuple[RunPlan, ...]
    paper: PaperPlan

    def run(self, run: str, eval_hash: str | None = None) -> RunPlan:
        """The plan a job was started for."""
        plan = self.by_verdict.get((run, eval_hash)) if eval_hash else self.by_run.get(run)
        if plan is None:
            raise ConfigError(f"{run} is no longer planned: the configuration changed while it ran; start again")
        return plan

    @cached_property
    def by_run(self) -> dict[str, RunPlan]:
        """Judges of one run share its folder, its agent and its tasks, so any of their plans will do."""
        first: dict[str, RunPlan] = {}
        for plan in self.runs:
            first.setdefault(plan.run, plan)
        return first

    @cached_property
    def by_verdict(self) -> dict[tuple[str, str], RunPlan]:
        return {(plan.run, plan.eval_hash): plan for plan in self.runs}

    @property
    def oracle_runs(self) -> list[RunPlan]:
        """Runs that prove their tasks can be done, under the judge that must agree; one of each benchmark."""
        found = [
            plan
            for plan in self.runs
            if plan.config["system"]["name"] == "oracle" and plan.config["judge"].get("profile") == "paper"
        ]
        return list({plan.parts[3]: plan for plan in reversed(found)}.values())

    @cached_property
    def model_judges(self) -> dict[str, RunPlan]:
        """By eval_hash: judges that show screenshots to a model; any of their runs."""
        first: dict[str, RunPlan] = {}
        for plan in self.runs:
            if plan.looks_at_screenshots:
                first.setdefault(plan.eval_hash, plan)
        return first

    @property
    def challenges(self) -> list[str]:
        """The judges that are to go before the injection suite."""
        return list(self.model_judges) if self.analysis["challenge"] else []

    @cached_property
    def judge_names(self) -> dict[str, str]:
        """eval_hash -> name, in the experiment's order; two judges never share one."""
        return judge_names(self.runs)

    @property
    def judges(self) -> list[str]:
        return list(self.judge_names.values())

    @cached_property
    def headlines(self) -> list[str]:
        """Tables that a terminal shows at the end: judges are compared where there are two, ensembles where there is
        one."""
        ensembles = any(plan.config["system"]["ensemble"] for plan in self.runs)
        return ["summary", *(["judges"] if len(self.judges) > 1 else []), *(["ensembles"] if ensembles else [])]

    @property
    def analysis(self) -> dict[str, Any]:
        return dict(self.runs[0].config["analysis"])

    @cached_property
    def label_files(self) -> list[Path]:
        """What the rule `agreement` reads: the labels and their codebook, and this experiment's scores if asked."""
        given = [*inputs.label_files(self.analysis), *inputs.codebook_files(self.analysis)]
        own = [plan.scores for plan in self.runs]
        return [*given, *own] if not given or self.analysis["agreement"]["with_scores"] else given

    @property
    def subset_sources(self) -> list[Path]:
        """What the hard subset is made from: the tasks, and either outcomes of the user's or the runs' own scores."""
        named = (self.analysis["outcomes"], self.analysis["subset"]["categories"])
        given = [Path(path) for path in named if path]
        scores = [] if self.analysis["outcomes"] else [plan.scores for plan in self.runs]
        return [*(plan.folder / "tasks.jsonl" for plan in self.by_run.values()), *given, *scores]

    @cached_property
    def sheets(self) -> list[str]:
        """All tables, those alone that have something to say: systems are compared where there are two, repeats
        averaged where there are some."""
        systems = {(plan.parts[0], plan.parts[1]) for plan in self.runs}
        repeated = len(self.by_run) > len({(*plan.parts[:2], plan.parts[3]) for plan in self.runs})
        compared = [*(["comparison"] if len(systems) > 1 else []), *(["headline"] if repeated else [])]
        pairs = ["judge_pairs"] if len(self.judges) > 1 else []
        asked = ["judge_health", "judge_cost"] if self.model_judges else []
        return [*self.headlines, *compared, "sites", "templates", *pairs, *asked, "failures", "usage"]

    @cached_property
    def figures(self) -> list[str]:
        return ["paired"] if "comparison" in self.sheets else []

    @cached_property
    def shards(self) -> list[str]:
        """`0-of-5`: the count is in the name, so that another count never meets these files."""
        counts = {int(plan.config["execution"]["shards"]) for plan in self.runs}
        if len(counts) > 1:
            raise ConfigError(f"execution.shards must be one number for all runs of an experiment, not {counts}")
        count = counts.pop()
        return [f"{index}-of-{count}" for index in range(count)]

    @cached_property
    def digest(self) -> str:
        return digest([[plan.run, plan.eval_hash, plan.tasks_digest, plan.analysis] for plan in self.runs])

    @property
    def folder(self) -> Path:
        return RESULTS / "experiments" / f"{self.name}-{self.digest[:8]}"

    def described(self, given: dict[str, Any]) -> dict[str, Any]:
        """What was asked for and what it came to: the words after --config, and every field that decided a path."""
        runs = [{"run": plan.run, "eval_hash": plan.eval_hash, **plan.identity} for plan in self.runs]
        return {"experiment": self.name, "overrides": given.get("overrides"), "runs": runs}

    @cached_property
    def datasets(self) -> dict[str, DatasetPlan]:
        own = {data.folder.name: data for plan in self.runs for data in (*plan.datasets, *plan.judges_datasets)}
        return {self.paper.tasks.folder.name: self.paper.tasks} | own


def in_shard(task_id: str, shard: str) -> bool:
    """By sha256 of the id, so that adding a task touches one shard."""
    index, _, count = shard.partition("-of-")
    return int(hashlib.sha256(task_id.encode()).hexdigest(), 16) % int(count) == int(index)
