"""Settings: all that is wrong is said at once, in plain words, and never the token."""

import logging
from pathlib import Path

import pytest
import structlog

from bot.logs import HIDDEN, set_up_logs
from bot.settings import Settings, SettingsError, load_settings

TOKEN = "MTE5.secret-token.abcdefghijkl"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """No setting of this machine takes part."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def test_a_token_is_all_that_is_needed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = load_settings()
    assert settings.is_discord
    assert settings.discord_token.get_secret_value() == TOKEN
    assert TOKEN not in repr(settings)
    assert TOKEN not in str(settings.model_dump())


def test_every_fault_is_listed_at_once(monkeypatch: pytest.MonkeyPatch):
    for name, value in {
        "DISCORD_TOKEN": "",
        "DISCORD_API_URL": "https://evil.example/api",
        "LOG_LEVEL": "LOUD",
        "COMPUTER_PAUSE_MS": "-1",
        "TUNNELA_WINDOW_S": "soon",
        "GUILD_READY_TIMEOUT_S": "nan",
    }.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    lines = str(refused.value).splitlines()
    assert {line.partition(":")[0] for line in lines} == {
        "DISCORD_TOKEN",
        "DISCORD_API_URL",
        "LOG_LEVEL",
        "COMPUTER_PAUSE_MS",
        "TUNNELA_WINDOW_S",
        "GUILD_READY_TIMEOUT_S",
    }
    assert "must be https://discord.com/... or an address of this machine" in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://discord.com.evil.example/api/v10",
        "https://evil.example/discord.com",
        "http://discord.com/api/v10",
        "https://user@evil.example/",
        "https://discord.com@evil.example/api",
        "ftp://127.0.0.1/",
        "http://127.0.0.1.evil.example/",
        "http://10.0.0.5/api",
        "http://169.254.169.254/",
        "file:///etc/passwd",
        "",
    ],
)
def test_the_token_goes_to_no_stranger(monkeypatch: pytest.MonkeyPatch, url: str):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_API_URL", url)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert TOKEN not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://discord.com/api/v10/",
        "http://127.0.0.1:8080/api/v10",
        "http://[::1]:8080/api/v10",
        "http://localhost:1/api/v10",
    ],
)
def test_discord_and_this_machine_are_served(monkeypatch: pytest.MonkeyPatch, url: str):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_API_URL", url)
    assert load_settings().discord_api_url == url.rstrip("/")


def test_a_file_is_read_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path):
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=DEBUG\nUNKNOWN=1\n")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    assert load_settings().log_level == "ERROR"


def test_the_example_names_every_setting_and_its_default():
    example = (Path(__file__).parents[2] / ".env.example").read_text()
    for name, field in Settings.model_fields.items():
        line = next(
            (
                splitline
                for splitline in example.splitlines()
                if splitline.lstrip("#").startswith(f"{name.upper()}=")
            ),
            None,
        )
        assert line is not None, name
        if not field.is_required() and field.default is not None:
            assert line.lower() == f"#{name}={field.default}".lower()


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_token_is_in_no_log(capsys: pytest.CaptureFixture[str], form, monkeypatch: pytest.MonkeyPatch):
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", list(root.handlers))
    monkeypatch.setattr(root, "level", root.level)
    set_up_logs("DEBUG", form, TOKEN)
    log = logging.getLogger("somebody.else")
    log.error("the token is %s", TOKEN)
    log.error({"token": TOKEN})
    try:
        raise ValueError(TOKEN)
    except ValueError:
        log.exception("failed with %r", TOKEN)
    said = capsys.readouterr().err
    assert said.count(HIDDEN) >= 4
    assert TOKEN not in said
    structlog.reset_defaults()
