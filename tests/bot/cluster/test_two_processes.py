"""Two processes with a shard each: either may write any table, and neither acts on stale state."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import discord_calls
from bot.delivery.table_message import TableMessage
from bot.errors import ChangedElsewhereError, UserError
from bot.people import NamedPerson
from bot.services import Services, wire
from bot.settings import Settings
from bot.table.core.change import TableTransaction
from data.outbox_keys import ThreadAccessKey
from data.session import News
from data.store import Store
from league.ids import TableId
from tests.bot.clocks import connect
from tests.bot.house import Hand
from tests.bot.league.house import NOWHERE
from tests.postgres import Server
from tests.waiting import until

RAM, SITA = NamedPerson(11, "Ram"), NamedPerson(12, "Sita")
EVEN, ODD = 8 << 22, 9 << 22
"""Servers of shard 0 and shard 1 of two."""
IDS = count(1_000)


@dataclass
class Process:
    """One of the two processes."""

    store: Store
    services: Services

    async def version(self) -> int:
        return (await self.services.tables.get(TableId(1))).row.version

    def go_deaf(self) -> None:
        """Receive no news from the other process for now, as if delivery were slow."""
        self.store._newsline._hear = lambda _: None


@pytest.fixture
async def processes(server: Server) -> AsyncIterator[tuple[Process, Process]]:
    """Both processes, with a table of Ram and Sita in the server of shard 1."""
    url, found = server.fresh(), list[Process]()
    for shard in (0, 1):
        store = await Store.open(url, is_shared=True)
        settings = Settings(
            _env_file=None,
            discord_token="x",
            database_url=url.render_as_string(hide_password=False),
            shard_count=2,
            shard_ids=frozenset({shard}),
        )
        process = Process(store, wire(settings, store, Hand()))
        await process.services.shards.take_all({shard})
        await connect(process.services.outages)
        found.append(process)
    other, owner = found
    heard: list[News] = []
    other.store.on_news(heard.append)
    await owner.services.lobby.open(ODD, 5, RAM, next(IDS))
    await until(lambda: heard)
    yield other, owner
    for process in found:
        await process.store.close()


async def test_either_process_writes_a_table_and_the_other_sees_it(processes: tuple[Process, Process]):
    other, owner = processes
    before = await owner.version()
    await other.services.lobby.join(TableId(1), SITA, next(IDS))
    assert await other.version() > before
    await until(lambda: _agree(other, owner))
    await owner.services.play.start(TableId(1), RAM.id, next(IDS))
    await until(lambda: _agree(other, owner))
    assert (await other.services.tables.status(TableId(1))) == "playing"


async def _agree(one: Process, other: Process) -> bool:
    return await one.version() == await other.version()


async def test_the_owner_is_woken_and_only_when_it_has_to_be(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
):
    woken: list[str] = []
    for name, process in zip(("other", "owner"), processes, strict=True):
        process.services.tables.on_commit(lambda name=name: woken.append(name), moves=False)
    other, owner = processes
    await owner.services.lobby.join(TableId(1), SITA, next(IDS))
    await until(lambda: _agree(other, owner))
    assert woken == ["owner"]
    await other.services.lobby.leave(TableId(1), SITA.id, next(IDS))
    await until(lambda: _agree(other, owner))
    await until(lambda: len(woken) == 3)
    assert sorted(woken) == ["other", "owner", "owner"]


async def test_a_change_that_crosses_another_one_is_asked_for_anew(processes: tuple[Process, Process]):
    other, owner = processes
    assert await other.version() == await owner.version()
    owner.go_deaf()
    await other.services.lobby.join(TableId(1), SITA, next(IDS))
    again = next(IDS)
    with pytest.raises(ChangedElsewhereError):
        await owner.services.play.start(TableId(1), RAM.id, again)
    await owner.services.play.start(TableId(1), RAM.id, again)
    assert (await owner.services.tables.status(TableId(1))) == "playing"


async def test_what_an_old_state_refuses_is_asked_of_the_new_one(processes: tuple[Process, Process]):
    other, owner = processes
    other.go_deaf()
    await other.version()
    await owner.services.lobby.join(TableId(1), SITA, next(IDS))
    with pytest.raises(ChangedElsewhereError):
        await other.services.lobby.leave(TableId(1), SITA.id, next(IDS))
    await other.services.lobby.leave(TableId(1), SITA.id, next(IDS))
    with pytest.raises(UserError):
        await other.services.lobby.leave(TableId(1), SITA.id, next(IDS))


async def test_who_sat_down_elsewhere_is_let_into_the_thread_though_no_news_of_it_came(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
):
    added = list[int]()

    async def add(_client: object, _thread_id: int, person_id: int) -> None:
        added.append(person_id)

    async def let_in(tx: TableTransaction) -> None:
        tx.update(thread_id=7)
        tx.request(ThreadAccessKey(TableId(1), SITA.id))

    monkeypatch.setattr(discord_calls, "add_to_thread", add)
    other, owner = processes
    await owner.version()
    owner.go_deaf()
    await other.services.lobby.join(TableId(1), SITA, next(IDS))
    await other.services.tables.amend(TableId(1), let_in)
    due = await owner.store.read(lambda db: db.outbox.due(Hand().at, 9))
    [row] = [row for row in due if isinstance(row.key, ThreadAccessKey)]
    publisher: Any = SimpleNamespace(tracker=None, table_panel=None)
    message = TableMessage(NOWHERE, owner.services.tables, publisher, owner.services.pauses)
    await message.let_in_or_out(row)
    assert added == [SITA.id]


async def test_a_deadline_is_the_owner_s(processes: tuple[Process, Process]):
    other, owner = processes
    due = [await _due(process.services) for process in (other, owner)]
    assert due == [[], [1]]


async def _due(services: Services) -> list[int]:
    return [job.subject for job in await services.deadlines.soonest(())]


async def test_who_is_forgotten_by_one_is_forgotten_by_all(processes: tuple[Process, Process]):
    other, owner = processes
    assert await other.store.directory.person(RAM.id) is not None
    await owner.services.forgetting._forget(RAM.id, {"a request"})
    await until(lambda: _is_forgotten(other))


async def _is_forgotten(process: Process) -> bool:
    person = await process.store.directory.person(RAM.id)
    return person is None or person.names.general != RAM.name
