"""Why the bot does not start: one plain sentence for people, one line for machines, and never a traceback."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.__main__ import Exit, main
from bot.commands import CommandsRefusedError
from data.files import FileLock
from data.store import Store
from tests.bot.environment import NOWHERE, tell


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Settings with a token, the test's file, and an unreachable Discord."""
    tell(monkeypatch, path.parent, discord_token="a-token", database_path=str(path), discord_api_url=NOWHERE)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()


def no_database(path: Path) -> None:
    path.write_bytes(b"Dear all," * 1000)


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE theirs (a)")


def damaged(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(len(content) - 4096))


def lost(path: Path) -> None:
    asyncio.run(opened_once(path))
    path.write_bytes(b"")


async def opened_once(path: Path) -> None:
    await (await Store.open(path)).close()


def in_a_file(path: Path) -> None:
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("a file in the place of the folder")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "code", "says", "next_step"),
    [
        (newer, Exit.DATA, "newer version", "Start the newer version"),
        (no_database, Exit.DATA, "no database of Tiplu", "DATABASE_PATH"),
        (of_another_program, Exit.DATA, "no database of Tiplu", "DATABASE_PATH"),
        (damaged, Exit.DATA, "is damaged", "restore COPY"),
        (lost, Exit.DATA, "Games may be missing", "run --accept-loss"),
        (in_a_file, Exit.CONFIG, "can't read and write", "DATABASE_PATH"),
        (a_folder, Exit.CONFIG, "can't read and write", "DATABASE_PATH"),
    ],
)
def test_a_file_that_cannot_be_used(path: Path, capfd, spoil, code: Exit, says: str, next_step: str):
    spoil(path)
    assert main([]) == code
    said = capfd.readouterr().err
    assert says in said
    assert next_step in said
    assert str(path) in said
    assert "Traceback" not in said


def test_a_second_bot_on_the_same_file(path: Path, capfd):
    lock = FileLock(path.with_name(path.name + ".lock"))
    assert main([]) == Exit.LOCKED
    lock.release()
    said = capfd.readouterr().err
    assert "running already" in said
    assert "Traceback" not in said


def test_a_full_disk(path: Path, capfd, monkeypatch: pytest.MonkeyPatch, migrated_anew):
    path.unlink()
    monkeypatch.setattr(
        "data.sqlite.engines._DURABLE", ("PRAGMA journal_mode=WAL", "PRAGMA max_page_count=3")
    )
    assert main([]) == Exit.CONFIG
    said = capfd.readouterr().err
    assert "is full" in said
    assert "Make room" in said
    assert "Traceback" not in said


def test_a_discord_that_is_not_reached(capfd):
    assert main([]) == Exit.UNREACHABLE
    said = capfd.readouterr().err
    assert "can't be reached at http://127.0.0.1:9" in said
    assert "Traceback" not in said


def answered(status: int, body: object) -> discord.HTTPException:
    """Return what discord.py raises for such a response."""
    kind = discord.Forbidden if status == 403 else discord.HTTPException
    response: Any = SimpleNamespace(status=status, reason="a reason")
    return kind(response, body)  # type: ignore[arg-type]


def commands_refused(cause: Exception) -> CommandsRefusedError:
    error = CommandsRefusedError()
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "says", "next_step"),
    [
        (answered(429, "<html>\nbanned"), "blocked this machine's address", "for an hour"),
        (discord.RateLimited(5400), "no more calls for 1 h 30 min", "after that time"),
        (answered(403, "<html>\nno"), "lets Tiplu in no more (403)", "discord.com/developers"),
        (
            answered(403, {"code": 40001, "message": "Unauthorized"}),
            "code 40001: Unauthorized",
            "start again",
        ),
        (answered(404, {"code": 0, "message": "Not Found"}), "404: Not Found", "DISCORD_API_URL"),
        (
            commands_refused(answered(429, {"code": 30034, "message": "Max number"})),
            "too many were made within a day",
            "tomorrow",
        ),
        (commands_refused(answered(429, "<html>")), "asked to too often", "in an hour"),
        (commands_refused(discord.RateLimited(90)), "asked to too often", "in 2 min"),
        (
            commands_refused(answered(403, {"code": 50001, "message": "Missing Access"})),
            "(403, code 50001: Missing Access)",
            "applications.commands",
        ),
    ],
)
def test_a_discord_that_refuses_the_bot(
    monkeypatch: pytest.MonkeyPatch, capfd, error: Exception, says: str, next_step: str
):
    async def refuse(*_: object) -> None:
        raise error

    monkeypatch.setenv("DISCORD_GATEWAY_URL", "ws://127.0.0.1:9")  # so Discord is not asked for it
    monkeypatch.setattr("discord.http.HTTPClient.static_login", refuse)
    assert main([]) == Exit.UNREACHABLE
    said = capfd.readouterr().err
    assert says in said
    assert next_step in said
    assert "<" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize("spoil", [newer, damaged, lost])
def test_a_machine_reads_one_line_with_the_same_words(
    path: Path, capfd, monkeypatch, spoil: Callable[[Path], None]
):
    spoil(path)
    monkeypatch.setenv("LOG_FORMAT", "json")
    assert main([]) == Exit.DATA
    (line,) = capfd.readouterr().err.splitlines()
    said = json.loads(line)
    assert (said["event"], said["path"]) == ("store.refused", str(path))
    assert said["why"].endswith(".")


def test_a_loss_is_told_in_figures_and_accepted_once(path: Path, capfd):
    lost(path)
    assert main(["recompute"]) == Exit.DATA
    said = capfd.readouterr().err
    assert "0 tables with 0 deals and 0 events, and 0 seasons with 0 events" in said
    assert main(["run", "--accept-loss"]) == Exit.UNREACHABLE  # it has gone on to look for Discord
    assert "store.loss_accepted" in capfd.readouterr().err
    assert main(["recompute"]) == Exit.OK


def test_a_restored_copy_needs_no_acceptance(path: Path, tmp_path: Path, capfd):
    copy = str(tmp_path / "copy")
    assert main(["recompute"]) == Exit.OK
    assert main(["backup", copy]) == Exit.OK
    path.write_bytes(b"")
    assert main(["restore", copy]) == Exit.OK
    assert main(["recompute"]) == Exit.OK
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("token", [None, ""])
def test_commands_that_need_no_discord_need_no_token(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd, token: str | None
):
    monkeypatch.delenv("DISCORD_TOKEN")
    if token is not None:
        monkeypatch.setenv("DISCORD_TOKEN", token)
    copy = str(tmp_path / "copy")
    for command in (["recompute"], ["backup", copy], ["backups"], ["restore", copy], ["forget-again"]):
        assert main(command) == Exit.OK
    assert main(["emojis"]) == Exit.CONFIG
    assert "DISCORD_TOKEN" in capfd.readouterr().err
    path.write_bytes(b"")
    monkeypatch.setenv("LOG_FORMAT", "json")
    assert main(["recompute"]) == Exit.DATA
    assert json.loads(capfd.readouterr().err)["event"] == "store.refused", "nothing is hidden in the log"


def test_a_copy_that_cannot_be_made_or_put_back(path: Path, tmp_path: Path, capfd):
    assert main(["backup", str(tmp_path / "no" / "such" / "folder")]) == Exit.CONFIG
    assert "could not be copied" in capfd.readouterr().err
    for nothing in (tmp_path / "nothing", tmp_path):
        assert main(["restore", str(nothing)]) == Exit.DATA
        assert "There is no file" in capfd.readouterr().err
    for wrong in (path, path.parent, "."):
        assert main(["backup", str(wrong)]) == Exit.CONFIG
        assert "could not be copied" in capfd.readouterr().err
    no_database(tmp_path / "letter")
    assert main(["restore", str(tmp_path / "letter")]) == Exit.DATA
    said = capfd.readouterr().err
    assert "can't be put back" in said
    assert "Traceback" not in said
