"""What goes into a bundle, what keeps an experiment out of one, and what must never leave."""

import gzip
import json
import re
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from tests.report.crate.made import har, rewrite
from webassay.cli import main
from webassay.evidence.literals import Literal
from webassay.report.crate.reproduce import reproduce
from webassay.report.crate.secrets import without_passwords


def test_the_same_experiment_gives_the_same_bytes(experiment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one.zip", "other.zip", "one.zip"):
        assert main(["bundle", experiment.name, "--out", name]) == 0
    assert Path("one.zip").read_bytes() == Path("other.zip").read_bytes()
    assert "one.zip is this very bundle already" in capsys.readouterr().out
    assert main(["bundle", "--license", "CC-BY-4.0", "--out", "one.zip"]) == 2
    assert "one.zip is there already and differs" in capsys.readouterr().err


def test_it_holds_what_it_should_and_sha256sum_agrees(experiment: Path, tmp_path: Path) -> None:
    assert main(["bundle"]) == 0
    with zipfile.ZipFile(f"{experiment.name}.zip") as archive:
        archive.extractall(tmp_path / "out")
    out = tmp_path / "out"
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    endings = ("traj/right/web_surfer.log", "traj/right/network.har", "traj/right/screenshot0.png", "tasks.jsonl",
               "run.yaml", "metrics.json", "right_final_answer.json", "attempt.json", "task_data.json")  # fmt: skip
    assert all(any(name.endswith(end) for name in names) for end in endings)
    assert {"Snakefile", "envs/requirements.lock", "config/judge/verified.yaml", "rules/verify.smk"} <= names
    assert f"{experiment}/report/index.html" in names and not any("gpt_eval" in name for name in names)
    assert len(list(out.glob("results/llm/*/*.json.gz"))) == 2 and list(out.glob("results/datasets/*/manifest.json"))
    done = subprocess.run(["sha256sum", "-c", "--quiet", "manifest-sha256.txt"], cwd=out)
    assert done.returncode == 0
    assert len((out / "manifest-sha256.txt").read_text().splitlines()) == len(names) - 1


def test_nothing_of_this_machine_is_in_the_plan(bundle: Path, tmp_path: Path) -> None:
    plan = (bundle / "plan.json").read_text()
    assert str(tmp_path) not in plan and "127.0.0.1" not in plan and "api_key" not in plan and "password" not in plan


@pytest.mark.parametrize(
    "left_out, gone, taken",
    [
        (["screenshots"], "*.png", {"webvoyager": "the bundle has no screenshots"}),
        (["har"], "network.har", {"webvoyager": "the bundle has no har"}),
        (["har", "screenshots"], "*.png", {"webvoyager": "the bundle has no har and no screenshots"}),
    ],
)
def test_what_is_left_out_is_not_judged_again_and_told(
    experiment: Path, left_out: list[str], gone: str, taken: dict[str, str]
) -> None:
    assert main(["bundle", "--out", "small", *(word for each in left_out for word in ("--without", each))]) == 0
    assert not list(Path("small").rglob(gone))
    done = reproduce(Path("small"), Path("again"))
    assert not done.problems and done.judged == 8 and len(done.taken) == 1
    for judge, why in taken.items():
        assert f", {judge}-" in done.taken[0] and f"8 scores taken over: {why}" in done.taken[0]


def led_to(page: Path) -> set[Path]:
    """The files that a page's text or data leads to."""
    text = page.read_text().replace('\\"', '"')
    found = re.findall(r'(?:href|src)(?:":|=)"([^"#]+)', text)
    return {page.parent / unquote(each) for each in found if not each.startswith("data:")}


@pytest.mark.parametrize("left_out", [[], ["har"], ["har", "screenshots"]])
def test_its_report_leads_to_nothing_that_is_left_out_and_tells_nothing_of_it(
    experiment: Path, left_out: list[str]
) -> None:
    for path in Path("results/runs").rglob("traj/right"):
        (path / "attempts" / "0").mkdir(parents=True)
        (path / "attempts" / "0" / "web_surfer.log").write_text("")
    assert main(["bundle", "--out", "b", *(word for each in left_out for word in ("--without", each))]) == 0
    pages = [*Path("b").rglob("report/*.html"), *Path("b").rglob("report/t/*/*.*")]
    links = set().union(*map(led_to, pages))
    assert len(pages) > 10 and len(links) > 20
    assert {path for path in links if not path.exists()} == set()
    told = "".join(path.read_text() for path in pages)
    assert ("http://localhost:7770/" in told) is ("har" not in left_out)


def test_what_a_recording_that_stays_here_holds_is_told_by_no_file(
    experiment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in Path("results/runs").rglob("traj/right"):
        (path / "network.har").write_bytes(har(body="user=me&password=open+sesame"))
        for sidecar in path.glob("scores/*.meta.json"):
            rewrite_evidence(sidecar)
    assert main(["bundle", "--without", "har", "--out", "clean"]) == 0
    assert not [path for path in Path("clean").rglob("*") if path.is_file() and b"sesame" in path.read_bytes()]
    for sidecar in Path("results/runs").rglob("traj/right/scores/webarena-*.meta.json"):
        check = {"name": "post", "passed": True, "actual": "password=open+sesame"}
        sidecar.write_text(json.dumps(json.loads(sidecar.read_text()) | {"assertions": [check]}))
    assert main(["bundle", "--without", "har", "--out", "leaking"]) == 2
    said = capsys.readouterr().err
    assert "traj/right/network.har was never redacted of" in said and not Path("leaking").exists()


def missing_sidecar(experiment: Path) -> str:
    path = next(Path("results/runs").rglob("traj/right/scores/webarena-*.meta.json"))
    path.unlink()
    return f"{path} is missing or cut short"


def missing_reply(experiment: Path) -> str:
    path = next(Path("results/llm").glob("*/*.json.gz"))
    path.unlink()
    return f"{path} is missing, and scores rest on that reply"


def other_evidence(experiment: Path) -> str:
    path = next(Path("results/runs").rglob("traj/right/right_final_answer.json"))
    rewrite(path, '"42"', '"43"')
    return "is about other evidence"


def missing_table(experiment: Path) -> str:
    (experiment / "tables" / "judges.md").unlink()
    return "tables/judges.md is missing: the experiment is half-written"


def unsettled(experiment: Path) -> str:
    next(Path("results/runs").rglob("settled/*.json")).unlink()
    return "is missing: the experiment is half-written"


def old_scores(experiment: Path) -> str:
    (experiment / "scores.csv").write_text("old\n")
    return "is older than its runs' scores"


def broken_provenance(experiment: Path) -> str:
    (experiment / "experiment.yaml").write_text("[1]")
    return "experiment.yaml: not what `webassay run` writes"


def other_overrides(experiment: Path) -> str:
    described = yaml.safe_load((experiment / "experiment.yaml").read_text())
    described["overrides"] += " system.name=other"
    (experiment / "experiment.yaml").write_text(yaml.safe_dump(described))
    return "have changed since"


@pytest.mark.parametrize(
    "spoil",
    [missing_sidecar, missing_reply, other_evidence, missing_table, unsettled, old_scores, broken_provenance,
     other_overrides],
)  # fmt: skip
def test_what_is_not_whole_is_refused(experiment: Path, spoil, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    said = spoil(experiment)
    assert main(["bundle"]) == 2
    assert said in capsys.readouterr().err and not list(Path().glob("*.zip"))


def test_an_experiment_that_is_not_there_is_told_with_those_that_are(
    experiment: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["bundle", "nothing-00000000"]) == 2
    assert f"there are {experiment.name}" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["bundle"]) == 2
    assert "there is no experiment in results/experiments" in capsys.readouterr().err


SECRET = "s3cret & word"


def leak_in_clear(experiment: Path) -> str:
    path = next(Path("results/runs").rglob("traj/right/web_surfer.log"))
    path.write_bytes(path.read_bytes() + f'{{"type": "x", "note": "{SECRET}"}}\n'.encode())
    return "traj/right/web_surfer.log holds the key in SCRIPTED_KEY"


def leak_encoded(experiment: Path) -> str:
    path = next(Path("results/runs").rglob("traj/right/core.log"), None)
    path = path or next(Path("results/runs").rglob("traj/right")) / "core.log"
    path.write_text("GET /?q=s3cret+%26+word")
    return "traj/right/core.log holds the key in SCRIPTED_KEY"


def leak_packed(experiment: Path) -> str:
    path = next(Path("results/runs").rglob("traj/right")) / "notes.gz"
    path.write_bytes(gzip.compress(SECRET.encode()))
    return "traj/right/notes.gz holds the key in SCRIPTED_KEY"


def cookie(experiment: Path) -> str:
    next(Path("results/runs").rglob("traj/right/network.har")).write_bytes(har(cookie="0123456789"))
    return "traj/right/network.har holds 1 passwords, tokens or cookies that were never redacted"


def form(experiment: Path) -> str:
    next(Path("results/runs").rglob("traj/right/network.har")).write_bytes(har(body="user=me&password=open+sesame"))
    return "traj/right/network.har holds 1 passwords, tokens or cookies that were never redacted"


def unreadable(experiment: Path) -> str:
    next(Path("results/runs").rglob("traj/right/network.har")).write_bytes(b"{broken")
    return "traj/right/network.har cannot be looked through for secrets"


@pytest.mark.parametrize("leak", [leak_in_clear, leak_encoded, leak_packed, cookie, form, unreadable])
def test_a_secret_keeps_the_bundle_from_being_written(  # type: ignore[no-untyped-def]
    experiment: Path, leak, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIPTED_KEY", SECRET)
    described = yaml.safe_load((experiment / "experiment.yaml").read_text())
    described["overrides"] += " judge.model.api_key_env=SCRIPTED_KEY"
    (experiment / "experiment.yaml").write_text(yaml.safe_dump(described))
    said = leak(experiment)
    for path in Path("results/runs").rglob("traj/right/scores/*.meta.json"):  # of the evidence as it is now
        rewrite_evidence(path)
    assert main(["bundle"]) == 2
    told = capsys.readouterr().err
    assert "nothing was written: " in told and said in told and SECRET not in told
    assert not list(Path().glob("*.zip"))


def rewrite_evidence(path: Path) -> None:
    from webassay.core.trajectory import evidence_digest

    sidecar = json.loads(path.read_text())
    path.write_text(json.dumps(sidecar | {"evidence": evidence_digest(path.parents[1])}))


@pytest.mark.parametrize(
    "text, kept",
    [
        (b"me: {user: a@b.c, password: miniweb-customer} # it", b"me: {user: a@b.c, password: left_out} # it"),
        (b'accounts.me.password="open sesame" x=1', b"accounts.me.password=left_out x=1"),
        (b"password: ${oc.env:PASSWORD}", b"password: ${oc.env:PASSWORD}"),
        (b'login_form: {password: "{password}"}', b'login_form: {password: "{password}"}'),
        (b"max_tokens: 5\npassword:\n  x", b"max_tokens: 5\npassword:\n  left_out"),
        (b"note: it is hidden", b"note: it is left_out"),
    ],
)  # fmt: skip
def test_passwords_do_not_leave_in_configuration_files(text: bytes, kept: bytes) -> None:
    assert without_passwords(text, {"the password of account x": Literal("hidden")}) == kept
