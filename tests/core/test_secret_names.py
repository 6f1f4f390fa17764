"""Which variables hold a secret, and which are only called like one."""

from pathlib import Path

import pytest

from webassay.core.secret_names import credentials, credentials_within, is_secret_name, secrets_in


@pytest.mark.parametrize(
    "name, value",
    [
        ("OPENAI_API_KEY", "sk-7f3a9b2c1d"),
        ("AZURE_OPENAI_KEY", "7f3a9b2c1d5e"),
        ("GROQ_KEY", "gsk_12345"),
        ("OPENAI_API_KEY_2", "/begins-with/a-slash"),
        ("OPENAI_PASSPHRASE", "correct horse battery"),
        ("GITHUB_PAT", "ghp_1234567890"),
        ("DB_PWD", "hunter42"),
        ("SITE_PASSWORD", "elevenchars"),
        ("BOT_TOKEN", "abcdefghijklmnop"),
        ("ADMIN_PASS", "123456"),
    ],
)
def test_a_secret_of_the_environment(name: str, value: str) -> None:
    assert secrets_in({name: value, "HOME": "/root", "LANG": "en_GB.UTF-8"}) == [value]


@pytest.mark.parametrize(
    "name, value",
    [
        ("USE_TOKEN", "true"),
        ("MAX_TOKENS", "128000"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("TOKEN_TYPE", "bearer"),
        ("SORT_KEY", "category"),
        ("API_KEY", "none"),
        ("PASSWORD_LOGIN", "disabled"),
        ("X_PASSWORD", "12345"),
        ("SSH_ASKPASS", "/usr/bin/ksshaskpass"),
        ("API_KEY_FILE", __file__),
        ("SSL_KEY", str(Path(__file__).parent)),
        ("KEYBOARD", "a-very-long-name"),
        ("SSH_AUTH_SOCK", "/tmp/agent.1"),
    ],
)
def test_what_would_be_replaced_everywhere_is_left_alone(name: str, value: str) -> None:
    assert secrets_in({name: value}) == []


@pytest.mark.parametrize(
    "address, secrets",
    [
        ("postgres://me:open%20sesame@db/x", ["open%20sesame", "open sesame"]),
        ("http://admin:resetpw99@host:9000/reset?key=abcdefg&page=1", ["resetpw99", "abcdefg"]),
        ("wss://far/?apiKey=bb_live_123", ["bb_live_123"]),
        ("http://user@host/?q=token", []),
        ("http://[broken", []),
        ("me:pass@word", []),
    ],
)
def test_the_credentials_of_an_address(address: str, secrets: list[str]) -> None:
    assert credentials(address) == secrets == secrets_in({"DATABASE_URL": address})
    assert list(credentials_within({"reset": {"url": address, "timeout": 3}, "sites": [{"url": address}]})) == [
        *secrets, *secrets
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["pass", "user[pass]", "pwd", "new-pwd", "pin", "otp", "X-Auth", "jwt", "userPass"])
def test_a_field_that_holds_a_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["passenger", "compass", "pinned", "footprint", "author", "X-Auth-User", "form_key"])
def test_a_field_that_holds_none(name: str) -> None:
    assert not is_secret_name(name)
