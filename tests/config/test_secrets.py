"""No secret gets into a configuration, and so into none of the files that are made of it."""

from pathlib import Path

import pytest

from webassay.config.experiment import plan_experiment
from webassay.errors import ConfigError


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINE", "open-sesame")
    monkeypatch.setenv("FAR_MODEL", "http://user:open-sesame@host/v1")


def kept() -> list[Path]:
    return [path for path in Path().rglob("*") if path.is_file() and b"open-sesame" in path.read_bytes()]


@pytest.mark.parametrize(
    "overrides, told",
    [
        (["environment.accounts.customer.password=open-sesame"], "environment.accounts.customer.password=…"),
        (["+environment.accounts.me={user: me, password: open-sesame}"], r"\+environment.accounts.me=…"),
        (
            ["model=gpt-4o", 'model.endpoints=["http://me:open-sesame@host/v1"]'],
            "endpoints: .*model.api_key_env",
        ),
        (["model=gpt-4o", 'model.endpoints=["http://open-sesame@host/v1"]'], "endpoints: .*model.api_key_env"),
        (["model=gpt-4o", 'model.endpoints=[{url:"http://open-sesame@host/v1"}]'], "endpoints: .*model.api_key_env"),
        (["model=gpt-4o", "model.endpoints=[${oc.env:FAR_MODEL}]"], "endpoints: .*model.api_key_env"),
        (['environment.reset.url="http://host/reset?key=open-sesame"'], "environment.reset.url: a password or key"),
        (["browser=cdp", 'browser.endpoint="wss://far/?apiKey=open-sesame"'], "browser.endpoint: a password or key"),
    ],
)
def test_a_secret_that_is_written_down_is_refused(overrides: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told) as raised:
        plan_experiment("single", ["system=oracle", *overrides])
    assert "open-sesame" not in str(raised.value) and kept() == []


def test_one_that_comes_from_the_environment_is_taken_and_not_kept() -> None:
    given = [
        "environment.accounts.customer.password=${oc.env:MINE}",
        'environment.reset.url="http://me:${oc.env:MINE}@host/reset"',
    ]
    (run,) = plan_experiment("single", ["system=oracle", *given]).runs
    assert run.config["environment"]["accounts"]["customer"]["password"] == "open-sesame"
    assert run.config["environment"]["reset"]["url"] == "http://me:open-sesame@host/reset"
    assert kept() == []
