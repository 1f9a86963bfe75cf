"""Settings: all errors are reported at once, in plain words, and never with the token."""

import logging
from pathlib import Path

import pytest

from bot.logs import HIDDEN, set_up_logs
from bot.settings import Settings, SettingsError, load_settings
from tests.bot.environment import tell

TOKEN = "MTE5.secret-token.abcdefghijkl"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Ignore all settings of this machine."""
    tell(monkeypatch, tmp_path)


def test_a_token_is_all_that_is_needed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = load_settings()
    assert settings.is_discord
    assert settings.discord_token.get_secret_value() == TOKEN
    assert TOKEN not in repr(settings)
    assert TOKEN not in str(settings.model_dump())


def test_a_line_break_behind_the_token_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DISCORD_TOKEN", f" {TOKEN}\r\n")
    assert load_settings().discord_token.get_secret_value() == TOKEN


@pytest.mark.parametrize("token", [f"Bot {TOKEN}", f"{TOKEN}\nX-Header: 1", f"{TOKEN}\udcff"])
def test_what_cannot_be_a_token_is_refused(monkeypatch: pytest.MonkeyPatch, token: str):
    monkeypatch.setenv("DISCORD_TOKEN", token)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN: has a space or a line break") as refused:
        load_settings()
    assert TOKEN not in str(refused.value)


def test_a_token_that_is_missing_is_called_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN: is not set$"):
        load_settings()


@pytest.mark.parametrize("token", ["", " "])
def test_an_empty_token_is_called_empty(monkeypatch: pytest.MonkeyPatch, token: str):
    monkeypatch.setenv("DISCORD_TOKEN", token)
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN: is empty$"):
        load_settings()


def test_a_file_in_another_encoding_is_told(tmp_path: Path):
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    with pytest.raises(SettingsError, match=r"^\.env is not UTF-8 text: byte 0 is wrong; save it as UTF-8$"):
        load_settings()


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
    ("url", "kept"),
    [
        ("https://example.org/leagues/", "https://example.org/leagues"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("", None),
    ],
)
def test_the_address_of_public_pages_ends_before_what_is_added(
    monkeypatch: pytest.MonkeyPatch, url: str, kept: str | None
):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("PAGES_PATH", "pages")
    monkeypatch.setenv("PAGES_URL", url)
    assert load_settings().pages_url == kept


@pytest.mark.parametrize(
    ("path", "url"),
    [
        (None, "https://example.org"),
        ("pages", "example.org"),
        ("pages", "javascript:alert(1)"),
        ("pages", "https://example.org/a)b"),
        ("pages", "https://example.org/?season="),
    ],
)
def test_an_address_of_public_pages_that_could_not_be_linked_is_refused(
    monkeypatch: pytest.MonkeyPatch, path: str | None, url: str
):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("PAGES_URL", url)
    if path is not None:
        monkeypatch.setenv("PAGES_PATH", path)
    with pytest.raises(SettingsError, match="PAGES_URL"):
        load_settings()


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


@pytest.mark.parametrize(
    ("url", "rest"),
    [
        ("", "https://discord.com/api/v10"),
        ("http://10.0.0.5:8080", "http://10.0.0.5:8080/api/v10"),
        ("http://[fd00::5]/", "http://[fd00::5]/api/v10"),
        ("http://127.0.0.1:8080/api/v10/", "http://127.0.0.1:8080/api/v10"),
        ("http://http-proxy", "http://http-proxy/api/v10"),
        ("http://proxy.prod.internal:80", "http://proxy.prod.internal:80/api/v10"),
        ("https://proxy.example.org/discord", "https://proxy.example.org/discord"),
    ],
)
def test_rest_calls_can_go_to_a_proxy(monkeypatch: pytest.MonkeyPatch, url: str, rest: str):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_PROXY_URL", url)
    settings = load_settings()
    assert settings.rest_url == rest
    assert settings.is_discord


@pytest.mark.parametrize(
    "url",
    [
        "http://proxy.example.org/",
        "http://8.8.8.8/",
        "http://10.0.0.5.example.org/",
        "http://user:secret@10.0.0.5/",
        "http://10.0.0.5:port/",
        "http://10.0.0.5/?to=1",
        "ftp://10.0.0.5/",
        "http://",
        "10.0.0.5:8080",
    ],
)
def test_the_token_goes_to_no_proxy_across_the_open_network(monkeypatch: pytest.MonkeyPatch, url: str):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_PROXY_URL", url)
    with pytest.raises(SettingsError, match=r"DISCORD_PROXY_URL: .*address of a proxy"):
        load_settings()


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


SERVER = "postgresql://tiplu:secret@localhost/tiplu"


@pytest.mark.parametrize(
    ("given", "ids"),
    [("0", {0}), ("0,2, 5", {0, 2, 5}), ("1-3", {1, 2, 3}), ("0,4-5,7", {0, 4, 5, 7})],
)
def test_shards_are_named_one_by_one_or_as_spans(monkeypatch: pytest.MonkeyPatch, given: str, ids: set[int]):
    for name, value in {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": SERVER, "SHARD_COUNT": "8"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SHARD_IDS", given)
    settings = load_settings()
    assert settings.is_shared
    assert (settings.shard_count, settings.shard_ids) == (8, ids)


def test_a_number_of_shards_alone_lets_the_processes_share_them_out(monkeypatch: pytest.MonkeyPatch):
    for name, value in {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": SERVER, "SHARD_COUNT": "8"}.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert (settings.is_shared, settings.shard_count, settings.shard_ids) == (True, 8, None)


@pytest.mark.parametrize(
    ("count", "ids", "url", "why"),
    [
        ("8", "0", "", "a file is served by one process alone"),
        ("8", "", "", "a file is served by one process alone"),
        ("", "0", SERVER, "needs SHARD_COUNT"),
        ("8", "7-8", SERVER, "must name some of the shards 0 to 7"),
        ("8", "3-1", SERVER, "must name some of the shards 0 to 7"),
        ("8", "first", SERVER, "must be numbers and spans of them"),
        ("0", "0", SERVER, "greater than or equal to 1"),
    ],
)
def test_shards_that_cannot_be_served_are_refused(
    monkeypatch: pytest.MonkeyPatch, count: str, ids: str, url: str, why: str
):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    for name, value in {"SHARD_COUNT": count, "SHARD_IDS": ids, "DATABASE_URL": url}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=why):
        load_settings()
