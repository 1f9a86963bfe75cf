"""The copies that the bot makes automatically, and the commands for them."""

import asyncio
import shutil
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from time import sleep
from types import SimpleNamespace

import pytest
from pydantic import SecretStr

import bot.__main__
from bot.__main__ import Exit, main
from bot.operations import copying
from bot.operations.copying import keep_copies, look_after_copies, newest_copy
from bot.settings import Settings
from data.errors import StoreFull, StoreUnavailableError
from data.files import FileLock
from data.sqlite import copies
from data.sqlite.backups import back_up
from data.sqlite.copies import folder_of, found
from tests.bot.environment import tell
from tests.waiting import until

NOW = datetime(2026, 11, 23, 2, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def errors(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The logged errors."""
    errors: list[str] = []
    log = SimpleNamespace(
        error=lambda event, why, **_: errors.append(f"{event} {why}"), info=lambda *_, **__: None
    )
    monkeypatch.setattr(copying, "log", log)
    return errors


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, path: Path) -> Settings:
    tell(monkeypatch, path.parent, discord_token="a-token", database_path=str(path))
    return Settings(_env_file=None)


def test_a_copy_is_made_when_one_is_due_and_can_be_put_back(settings: Settings, path: Path, capsys):
    for hours in (0, 5, 23, 24, 25):
        look_after_copies(settings, NOW + timedelta(hours=hours))
    copies = found(folder_of(path), path)
    assert [copy.made_at - NOW for copy in copies] == [timedelta(), timedelta(days=1)]
    assert main(["backups"]) == Exit.OK
    assert [line[:20] for line in capsys.readouterr().out.splitlines()] == [
        "2026-11-23 02:00 UTC",
        "2026-11-24 02:00 UTC",
    ]
    path.write_bytes(b"whatever")
    assert main(["restore", str(copies[0].path)]) == Exit.OK
    assert path.read_bytes()[:6] == b"SQLite"


def test_copies_of_a_linked_file_are_those_of_the_file(
    settings: Settings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    link = tmp_path / "linked.sqlite3"
    link.symlink_to(path)
    look_after_copies(settings, NOW)
    monkeypatch.setenv("DATABASE_PATH", str(link))
    look_after_copies(Settings(_env_file=None), NOW)
    assert len(found(folder_of(path), path)) == 1
    assert not folder_of(link).exists()


def test_a_clock_that_was_ahead_keeps_no_copy_from_being_made(settings: Settings, path: Path):
    look_after_copies(settings, NOW + timedelta(days=300))
    look_after_copies(settings, NOW)
    look_after_copies(settings, NOW + timedelta(minutes=10))
    assert newest_copy(settings, NOW).made_at == NOW
    assert len(found(folder_of(path), path)) == 2


def test_copies_of_a_server_are_found_by_the_same_names(settings: Settings, tmp_path: Path):
    """`deploy/copies.sh` makes them."""
    server = {"database_url": SecretStr("postgresql+asyncpg://tiplu@database/games"), "backup_path": tmp_path}
    served = settings.model_copy(update=server)
    assert newest_copy(served, NOW) is None
    for name in ("games-20261122T020000Z.dump", "games-20261123T010000Z.dump", "other-20261123T015900Z.dump"):
        (tmp_path / name).touch()
    newest = newest_copy(served, NOW)
    assert newest is not None
    assert newest.made_at == NOW - timedelta(hours=1)


def test_copies_expire_although_a_full_disk_takes_no_more(
    settings: Settings, path: Path, monkeypatch: pytest.MonkeyPatch
):
    """People who were forgotten must not stay in them."""
    look_after_copies(settings, NOW)
    monkeypatch.setattr(copies.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(StoreFull):
        look_after_copies(settings, NOW + timedelta(days=27))
    assert len(found(folder_of(path), path)) == 1
    with pytest.raises(StoreFull):
        look_after_copies(settings, NOW + timedelta(days=29))
    assert found(folder_of(path), path) == []


def test_copies_of_a_file_expire_although_a_server_has_its_games_now(settings: Settings, path: Path):
    look_after_copies(settings, NOW)
    moved = settings.model_copy(
        update={"database_url": SecretStr("postgresql+asyncpg://tiplu@database/games")}
    )
    look_after_copies(moved, NOW + timedelta(days=2))
    assert [copy.made_at for copy in found(folder_of(path), path)] == [NOW]
    look_after_copies(moved, NOW + timedelta(days=29))
    assert found(folder_of(path), path) == []


def test_who_wants_none_gets_none(settings: Settings, path: Path):
    look_after_copies(settings.model_copy(update={"backup_every_h": 0}), NOW)
    assert not folder_of(path).exists()


def test_they_can_be_kept_on_another_disk(settings: Settings, path: Path, tmp_path: Path, capsys):
    elsewhere = tmp_path / "other" / "disk"
    look_after_copies(settings.model_copy(update={"backup_path": elsewhere}), NOW)
    assert not folder_of(path).exists()
    [copy] = found(elsewhere, path)
    assert main(["backups"]) == Exit.OK
    assert str(copy.path) in capsys.readouterr().out


def test_where_there_are_none_the_folder_is_named(settings: Settings, path: Path, capsys):
    assert main(["backups"]) == Exit.OK
    assert f"There are none in {folder_of(path)}" in capsys.readouterr().out


def test_copies_expire_in_a_folder_that_is_no_longer_used(
    settings: Settings, path: Path, tmp_path: Path, capsys
):
    """BACKUP_PATH was set, changed and unset again, and one of its folders is gone."""
    other, gone = tmp_path / "other", tmp_path / "gone"
    for days, folder in enumerate([None, other, gone, None]):
        moved = settings.model_copy(update={"backup_path": folder})
        look_after_copies(moved, NOW + timedelta(days=days))
    shutil.rmtree(gone)
    assert [len(found(folder, path)) for folder in (folder_of(path), other)] == [2, 1]
    assert main(["backups"]) == Exit.OK
    assert len(capsys.readouterr().out.splitlines()) == 3
    later = NOW + timedelta(days=40)
    look_after_copies(settings, later)
    assert [copy.made_at for copy in found(folder_of(path), path)] == [later]
    assert found(other, path) == []


def test_copies_of_an_earlier_version_expire_after_the_next_change_of_folder(
    settings: Settings, path: Path, tmp_path: Path
):
    """It noted no folder, and no further copy is due there before the change."""
    first, second = (
        settings.model_copy(update={"backup_path": tmp_path / name}) for name in ("first", "second")
    )
    look_after_copies(first, NOW)
    path.with_name(path.name + ".folders").unlink()
    look_after_copies(first, NOW + timedelta(hours=1))
    look_after_copies(second, NOW + timedelta(hours=2))
    assert len(found(tmp_path / "first", path)) == 1
    look_after_copies(second, NOW + timedelta(days=40))
    assert found(tmp_path / "first", path) == []


def test_a_folder_that_cannot_be_cleaned_keeps_no_other_from_it(
    settings: Settings, path: Path, tmp_path: Path
):
    moved = settings.model_copy(update={"backup_path": tmp_path / "other"})
    look_after_copies(settings, NOW)
    look_after_copies(moved, NOW)
    spoil(tmp_path / "other", path)
    with pytest.raises(OSError, match="20250101T000000Z"):
        look_after_copies(moved, NOW + timedelta(days=40))
    assert found(folder_of(path), path) == []


def test_a_former_folder_that_cannot_be_cleaned_is_logged_once_and_hides_nothing(
    settings: Settings, path: Path, tmp_path: Path, errors: list[str], monkeypatch: pytest.MonkeyPatch
):
    moved = settings.model_copy(update={"backup_path": tmp_path / "other"})
    look_after_copies(settings, NOW)
    look_after_copies(moved, NOW)
    spoil(folder_of(path), path)
    for minutes in (0, 10, 20):
        look_after_copies(moved, NOW + timedelta(days=40, minutes=minutes))
    assert len(found(tmp_path / "other", path)) == 1
    monkeypatch.setattr(copies.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(StoreFull):
        look_after_copies(moved, NOW + timedelta(days=42))
    [told] = errors
    assert told.startswith("backup.not_removed ")
    assert "20250101T000000Z" in told


def test_a_folder_that_cannot_be_cleaned_does_not_hide_why_no_copy_is_made(
    settings: Settings, path: Path, monkeypatch: pytest.MonkeyPatch
):
    look_after_copies(settings, NOW)
    spoil(folder_of(path), path)
    monkeypatch.setattr(copies.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(StoreFull):
        look_after_copies(settings, NOW + timedelta(days=2))


def spoil(folder: Path, database: Path) -> None:
    """Put an expired copy into a folder that cannot be removed."""
    (folder / f"{database.stem}-20250101T000000Z{database.suffix}").mkdir()


def test_beside_a_running_bot_restore_says_what_to_do(settings: Settings, path: Path, capsys):
    look_after_copies(settings, NOW)
    [copy] = found(folder_of(path), path)
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        assert main(["restore", str(copy.path)]) == Exit.LOCKED
    finally:
        lock.release()
    said = capsys.readouterr().err
    assert "Tiplu is running" in said
    assert "Stop it first" in said
    assert "Nothing was changed" in said
    assert "Traceback" not in said


async def test_what_goes_wrong_is_logged_and_the_games_go_on(
    settings: Settings, path: Path, errors: list[str], monkeypatch: pytest.MonkeyPatch
):
    """A file stands in place of the folder; once it is gone, the copy is made."""
    monkeypatch.setattr(copying, "FIRST_LOOK_S", 0)
    monkeypatch.setattr(copying, "LOOK_S", 0)
    folder_of(path).write_bytes(b"in the way")
    clock = SimpleNamespace(now=lambda: int(NOW.timestamp() * 1000))
    working = asyncio.create_task(keep_copies(SimpleNamespace(settings=settings, clock=clock)))
    await until(lambda: errors)
    assert errors[0].startswith("backup.failed ")
    folder_of(path).unlink()
    await until(lambda: found(folder_of(path), path))
    working.cancel()


@pytest.mark.threads
async def test_a_stop_does_not_wait_until_a_large_copy_is_complete(
    settings: Settings, errors: list[str], monkeypatch: pytest.MonkeyPatch
):
    begun, given_up = Event(), Event()

    def endless(_file: Path, _target: Path, is_stopping: Callable[[], bool]) -> None:
        begun.set()
        for _ in range(1000):
            sleep(0.01)
            if is_stopping():
                given_up.set()
                raise StoreUnavailableError("given up")

    monkeypatch.setattr(copying, "FIRST_LOOK_S", 0)
    monkeypatch.setattr(copies, "back_up", endless)
    clock = SimpleNamespace(now=lambda: int(NOW.timestamp() * 1000))
    working = asyncio.create_task(keep_copies(SimpleNamespace(settings=settings, clock=clock)))
    await until(begun.is_set)
    assert not given_up.is_set()
    working.cancel()
    await until(given_up.is_set)
    assert errors == []


@pytest.mark.threads
def test_ctrl_c_gives_a_backup_up_at_once_and_leaves_nothing(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    target = tmp_path / "backups" / "copy"
    target.parent.mkdir()

    def interrupted(file: Path, target: Path, is_stopping: Callable[[], bool]) -> None:
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        for _ in range(1000):
            if is_stopping():
                break
            sleep(0.01)
        back_up(file, target, is_stopping)

    monkeypatch.setattr(bot.__main__, "back_up", interrupted)
    assert main(["backup", str(target)]) == Exit.INTERRUPTED
    assert list(target.parent.iterdir()) == []
    said = capfd.readouterr().err
    assert "given up" in said
    assert "Traceback" not in said
