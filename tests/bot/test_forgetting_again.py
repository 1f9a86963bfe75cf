"""Restoring a copy does not bring back people who were forgotten after it was made."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot.__main__ import Exit, main
from bot.app import TipluBot
from bot.clock import SystemClock
from bot.people import NamedPerson
from bot.services import Services, wire
from bot.settings import Settings
from bot.table.core.table import LOBBY
from data.privacy.ledger import NAME, ForgottenLedger
from data.sqlite.backups import back_up
from data.sqlite.copies import folder_of
from data.store import Store
from data.transaction import WriteTransaction
from league.times import HOUR, MINUTE
from tests.bot.conftest import CHANNEL, GUILD, SetClock
from tests.bot.environment import tell

RAM, SITA, GITA = 11, 12, 13


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, path: Path) -> Settings:
    tell(monkeypatch, path.parent, discord_token="a-token", database_path=str(path))
    return Settings(_env_file=None)


def during_a_run(
    settings: Settings, *, met: tuple[int, ...] = (), forgotten: tuple[int, ...] = (), earlier: int = 0
):
    """Run the bot so that it meets some people and forgets others, `earlier` milliseconds ago."""

    class Clock(SystemClock):
        def now(self) -> int:
            return super().now() - earlier

    async def run() -> None:
        store, clock = await Store.open(settings.database_path), Clock()
        services: Services = wire(settings, store, clock)

        async def meet(db: WriteTransaction) -> None:
            await db.key_values.alive(clock.now())
            for person in met:
                await db.people.keep(person, f"Person {person}", clock.now())

        await store.write(meet)
        for person in forgotten:
            assert await services.forgetting.forget(person)
        await services.workpool.close()
        await store.close()

    asyncio.run(run())


def known(path: Path) -> set[int]:
    with closing(sqlite3.connect(path)) as file:
        return {person for (person,) in file.execute("SELECT id FROM person WHERE id > 0")}


def test_who_was_forgotten_since_is_forgotten_again(settings: Settings, path: Path, tmp_path: Path, capsys):
    copy = tmp_path / "copy"
    during_a_run(settings, met=(RAM, SITA), earlier=2 * HOUR)
    back_up(path, copy)
    during_a_run(settings, met=(GITA,), forgotten=(RAM, GITA), earlier=HOUR)
    assert known(path) == {SITA}
    assert main(["restore", str(copy)]) == Exit.OK
    assert "1 who were forgotten" in capsys.readouterr().out
    assert known(path) == {SITA}
    assert b"Person 11" not in path.read_bytes()


@pytest.mark.parametrize(("former", "latter"), [(None, "disk"), ("disk", None), ("disk", "other disk")])
def test_a_copy_brings_nobody_back_although_backups_are_kept_elsewhere_since(
    settings: Settings,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    former: str | None,
    latter: str | None,
):
    """A former BACKUP_PATH is gone."""
    copy = tmp_path / "copy"
    before = settings.model_copy(update={"backup_path": tmp_path / former if former else None})
    during_a_run(before, met=(RAM, SITA), earlier=2 * HOUR)
    back_up(path, copy)
    during_a_run(before, forgotten=(RAM,), earlier=HOUR)
    if former:
        shutil.rmtree(tmp_path / former)
    if latter:
        monkeypatch.setenv("BACKUP_PATH", str(tmp_path / latter))
    assert main(["restore", str(copy)]) == Exit.OK
    assert known(path) == {SITA}


@pytest.mark.parametrize("is_marked", [True, False])
def test_requests_that_an_earlier_version_recorded_only_next_to_the_backups_outlive_their_disk(
    settings: Settings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_marked: bool
):
    """The first start copies them, without doing anything twice."""
    copy, disk, beside = tmp_path / "copy", tmp_path / "disk", folder_of(path) / NAME
    before = settings.model_copy(update={"backup_path": disk})
    during_a_run(before, met=(RAM, SITA), earlier=2 * HOUR)
    back_up(path, copy)
    during_a_run(before, forgotten=(RAM,), earlier=HOUR)
    beside.unlink()
    if not is_marked:
        (disk / NAME).write_text(" ".join((disk / NAME).read_text().split()[:2]))
    monkeypatch.setenv("BACKUP_PATH", str(disk))
    for _ in range(2):
        assert main(["forget-again"]) == Exit.OK
    assert beside.read_text().split() == (disk / NAME).read_text().split()
    shutil.rmtree(disk)
    monkeypatch.delenv("BACKUP_PATH")
    assert main(["restore", str(copy)]) == Exit.OK
    assert known(path) == {SITA}


def test_a_folder_that_takes_no_copy_of_the_requests_keeps_none_from_being_followed(
    settings: Settings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    copy = tmp_path / "copy"
    during_a_run(settings, met=(RAM, SITA), earlier=2 * HOUR)
    back_up(path, copy)
    during_a_run(settings, forgotten=(RAM,), earlier=HOUR)
    (tmp_path / "disk").touch()
    monkeypatch.setenv("BACKUP_PATH", str(tmp_path / "disk" / "backups"))
    assert main(["restore", str(copy)]) == Exit.OK
    assert "forgetting.not_copied" in capsys.readouterr().err
    assert known(path) == {SITA}


def test_who_came_back_before_the_copy_was_made_stays(settings: Settings, path: Path, tmp_path: Path, capsys):
    copy = tmp_path / "copy"
    during_a_run(settings, met=(RAM,), forgotten=(RAM,), earlier=2 * HOUR)
    during_a_run(settings, met=(RAM,), earlier=HOUR)
    back_up(path, copy)
    assert main(["restore", str(copy)]) == Exit.OK
    assert known(path) == {RAM}
    assert "forgotten" not in capsys.readouterr().out


@pytest.mark.parametrize("earlier", [3 * HOUR, -3 * HOUR], ids=["set back", "set forward"])
def test_clocks_that_were_set_bring_nobody_back(settings: Settings, path: Path, tmp_path: Path, earlier: int):
    copies = [tmp_path / "before", tmp_path / "after"]
    during_a_run(settings, met=(RAM, SITA), earlier=0)
    back_up(path, copies[0])
    during_a_run(settings, forgotten=(RAM,), earlier=earlier)
    during_a_run(settings, met=(RAM,), earlier=-earlier)
    back_up(path, copies[1])
    for copy, people in zip(copies, ({SITA}, {RAM, SITA}), strict=True):
        assert main(["restore", str(copy)]) == Exit.OK
        assert known(path) == people


def test_who_returns_after_a_restore_stays_at_the_next_one(settings: Settings, path: Path, tmp_path: Path):
    copies = [tmp_path / "empty", tmp_path / "returned"]
    during_a_run(settings)
    back_up(path, copies[0])
    during_a_run(settings, met=(RAM,), forgotten=(RAM,))
    assert main(["restore", str(copies[0])]) == Exit.OK
    during_a_run(settings, met=(RAM,))
    back_up(path, copies[1])
    assert main(["restore", str(copies[1])]) == Exit.OK
    assert known(path) == {RAM}


def test_a_bot_that_starts_with_an_earlier_state_of_its_file_forgets_them_again(
    settings: Settings, path: Path, tmp_path: Path
):
    """As after `run --accept-loss`, or a restore that was cut off."""
    during_a_run(settings, met=(RAM, SITA))
    back_up(path, tmp_path / "copy")
    during_a_run(settings, forgotten=(RAM,))
    shutil.copy(tmp_path / "copy", path)

    async def start() -> None:
        store = await Store.open(path, accept_loss=True)
        bot = TipluBot(wire(settings, store, SystemClock()))
        await bot.services.forgetting.try_again()
        await bot.services.forgetting.try_again()
        await bot.services.workpool.close()
        await store.close()

    with capture_logs() as logs:
        asyncio.run(start())
    assert [entry["people"] for entry in logs if entry["event"] == "forgetting.repeated"] == [1]
    assert known(path) == {SITA}


async def test_a_lobby_that_loses_its_host_at_a_start_waits_as_long_as_any_other(
    settings: Settings, store: Store, clock: SetClock
):
    """It gets back only the time after that, and none of the time for which the bot was away before."""
    lobby = wire(settings, store, clock).lobby
    opened = await lobby.open(GUILD, CHANNEL, NamedPerson(RAM, "Ram"), 1)
    await lobby.join(opened, NamedPerson(SITA, "Sita"), 2)
    await store.write(lambda db: db.key_values.alive(clock.now()))
    digest = await store.read(lambda db: db.limits.digest_of(RAM))
    ForgottenLedger(folder_of(settings.database_path) / NAME).add(digest, clock.now())
    clock.forward(10 * HOUR)
    async with TipluBot(wire(settings, store, clock)) as bot:
        await bot.services.forgetting.try_again()
        await bot._take_shards()
        clock.forward(HOUR)
        await bot.on_shard_connect(0)
    (row,) = await store.read(lambda db: db.deadlines.of_table(opened))
    assert (row.kind, row.due_at - clock.now()) == (LOBBY, settings.lobby_expiry_m * MINUTE)


def test_requests_that_an_earlier_version_has_recorded_are_judged_by_their_time(
    settings: Settings, path: Path, tmp_path: Path
):
    copy, file = tmp_path / "copy", folder_of(path) / NAME
    during_a_run(settings, met=(RAM, SITA), earlier=2 * HOUR)
    back_up(path, copy)
    during_a_run(settings, forgotten=(RAM,), earlier=HOUR)
    during_a_run(settings, forgotten=(SITA,), earlier=3 * HOUR)
    unmarked = [" ".join(line.split()[:2]) for line in file.read_text().splitlines()]
    file.write_text("\n".join(unmarked))
    assert main(["restore", str(copy)]) == Exit.OK
    assert known(path) == {SITA}


def test_a_request_without_a_mark_is_followed_once(settings: Settings, path: Path):
    """An earlier version has written it, while the clock was ahead."""
    file = folder_of(path) / NAME
    during_a_run(settings, met=(RAM,), forgotten=(RAM,), earlier=-100 * HOUR)
    file.write_text(" ".join(file.read_text().split()[:2]))
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM erasure")
    database.close()
    for people in (set(), {RAM}, {RAM}):
        during_a_run(settings, met=(RAM,))
        assert main(["forget-again"]) == Exit.OK
        assert known(path) == people


def test_nobody_can_be_told_from_the_file(settings: Settings, path: Path):
    during_a_run(settings, met=(RAM,), forgotten=(RAM,))
    file = folder_of(path) / NAME
    assert file.stat().st_mode & 0o777 == 0o600
    [line] = file.read_text().split("\n")[1:2]
    when, digest, mark = line.split()
    assert when.isdecimal()
    assert (len(digest), len(mark)) == (64, 16)


def test_a_request_in_two_files_is_one(tmp_path: Path):
    ledger = ForgottenLedger(tmp_path / "one", tmp_path / "another")
    ledger.add("a", 1)
    ledger.add("a", 1)
    assert told(ledger) == [(1, "a"), (1, "a")]


def test_each_file_gets_the_lines_that_it_lacks(tmp_path: Path):
    paths = [tmp_path / "one", tmp_path / "another"]
    for number, path in enumerate(paths, 1):
        ForgottenLedger(path).add("a", number)
        path.write_text(f"{path.read_text()}{number}000 b\n")  # without a mark, as in an earlier version
    ledger = ForgottenLedger(*paths)
    before = ledger.requests()
    ledger.complete()
    for _ in range(2):
        assert all(set(ForgottenLedger(path).requests()) == set(before) for path in paths)
        ledger.complete()
    assert ledger.requests() == before
    paths[0].unlink()
    ledger.add("c", 5)
    assert len(ForgottenLedger(paths[0]).requests()) == 5


async def test_the_bot_of_a_server_writes_only_next_to_the_backups_and_reads_what_it_wrote_before(
    settings: Settings, store: Store, clock: SetClock, path: Path, tmp_path: Path
):
    """It may not be allowed to write elsewhere."""
    url = SecretStr("postgresql+asyncpg://tiplu@database/games")
    served = settings.model_copy(update={"database_url": url, "backup_path": tmp_path / "backups of it"})
    await store.write(lambda db: db.people.keep(RAM, "Ram", clock.now()))
    assert await wire(served, store, clock).forgetting.forget(RAM)
    assert not folder_of(path).exists()
    before = wire(served.model_copy(update={"backup_path": None}), store, clock).forgetting
    await store.write(lambda db: db.people.keep(SITA, "Sita", clock.now()))
    assert await before.forget(SITA)
    assert len(await wire(served, store, clock).forgetting.requests_of(SITA)) == 1


def test_half_a_line_costs_no_other(tmp_path: Path):
    ledger = ForgottenLedger(tmp_path / "forgotten")
    ledger.add("a", 1)
    with (tmp_path / "forgotten").open("a") as file:
        file.write("2 ")
    ledger.add("c", 3)
    assert told(ledger) == [(1, "a"), (3, "c")]
    marks = {line.mark for line in ledger.requests()}
    assert len(marks) == 2
    assert None not in marks


def test_a_moment_that_is_no_number_costs_no_other(tmp_path: Path):
    ledger = ForgottenLedger(tmp_path / "forgotten")
    (tmp_path / "forgotten").write_text(f"{'9' * 5_000} a\n-1 b\n2 b x y\n")
    ledger.add("c", 3)
    assert told(ledger) == [(3, "c")]


def told(ledger: ForgottenLedger) -> list[tuple[int, str]]:
    return [(line.at, line.digest) for line in ledger.requests()]
