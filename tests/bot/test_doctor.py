"""The doctor: each finding says what to do, and none shows the token."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.__main__ import Exit, main
from bot.operations.doctor import examine
from data.sqlite.copies import folder_of, make
from data.store import Store
from tests.bot.environment import NOWHERE, tell

TOKEN = "MTE5.secret-token.abcdefghijkl"


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Create settings with a token, a missing file and an unreachable Discord; return the file's path."""
    path = tmp_path / "tiplu.sqlite3"
    tell(monkeypatch, tmp_path, discord_token=TOKEN, database_path=str(path), discord_api_url=NOWHERE)
    return path


async def found(name: str):
    return next(finding for finding in await examine() if finding.name == name)


async def test_what_is_well_needs_nothing_done_and_the_token_is_not_told():
    findings = await examine()
    assert [finding.name for finding in findings] == [
        "Python",
        "SQLite",
        "text shaping",
        "fonts",
        "settings",
        "store",
        "copies",
        "Discord",
    ]
    assert all(finding.todo for finding in findings if not finding.good)
    assert TOKEN not in "\n".join(map(str, findings))


async def test_a_discord_that_is_not_reached():
    discord = await found("Discord")
    assert not discord.good
    assert "not reached" in discord.what


def list_of(path: Path) -> list[Path]:
    return list(path.parent.glob("*.sqlite3"))


def spoil(path: Path) -> None:
    path.write_bytes(b"not a database at all, whatever its name may be" * 100)


async def test_the_file_in_every_state(settings: Path):
    assert "not there yet" in (await found("store")).what
    assert list_of(settings) == []
    await (await Store.open(settings)).close()
    assert (await found("store")).what == f"{settings} is sound"
    with sqlite3.connect(settings) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.close()
    newer = await found("store")
    assert not newer.good
    assert "newer" in newer.todo
    settings.write_bytes(b"")
    assert "missing" in (await found("store")).what
    spoil(settings)
    assert "copy" in (await found("store")).todo


async def test_copies_that_are_old_or_not_wanted_are_noted(settings: Path, monkeypatch: pytest.MonkeyPatch):
    assert (await found("copies")).good
    monkeypatch.setenv("BACKUP_EVERY_H", "0")
    assert "tiplu backup" in (await found("copies")).todo
    monkeypatch.delenv("BACKUP_EVERY_H")
    await (await Store.open(settings)).close()
    make(folder_of(settings), settings, datetime.now(UTC) - timedelta(hours=49))
    assert not (await found("copies")).good
    make(folder_of(settings), settings, datetime.now(UTC))
    assert (await found("copies")).what == "the newest is 0 hours old"


def test_without_a_token_the_command_says_so_and_fails(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.delenv("DISCORD_TOKEN")
    assert main(["doctor"]) == Exit.CONFIG
    said = capsys.readouterr().out
    assert "DISCORD_TOKEN" in said
    assert ".env.example" in said


def test_recompute_of_an_empty_file(capsys):
    assert main(["recompute"]) == Exit.OK
    assert "0 deals, 0 ratings: all as stored, to the last bit" in capsys.readouterr().out


def test_a_copy_is_made_and_put_back(settings: Path, tmp_path: Path, capsys):
    assert main(["recompute"]) == Exit.OK
    copy = str(tmp_path / "copy")
    assert main(["backup", copy]) == Exit.OK
    assert main(["restore", copy]) == Exit.OK
    assert "what it was before is kept as" in capsys.readouterr().out
    (tmp_path / "letter").write_text("Dear all,")
    for no_copy in ("not there", "letter"):
        assert main(["restore", str(tmp_path / no_copy)]) == Exit.DATA
