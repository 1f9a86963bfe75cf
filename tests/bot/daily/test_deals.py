"""The deal of the day over the services, without Discord."""

import asyncio
import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest

from bot.daily import deals
from bot.daily.deals import SHOWN
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.flow.computers import played_out
from bot.table.flow.moves import require_deal
from data.ids import NOWHERE
from data.outbox_keys import DailyPostKey
from data.preferences import PersonSettings
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DailyTryRow
from league.ids import GuildId, PersonId
from league.statistics.duplicate import Attempt, MonthLine, month_list
from league.times import DAY, HOUR
from marriage.rules import PRESETS
from tests.bot.house import House
from tests.damaging import damage_deals

ASHA, BIKRAM = (NamedPerson(PersonId(number), name) for number, name in ((11, "Asha"), (12, "Bikram")))


async def test_a_clock_that_is_set_back_deals_no_released_cards_again(store: Store):
    """Everyone may look at a released board."""
    house = House(store)
    daily = house.services.daily
    house.clock.at = 1_795_000_000_000 // DAY * DAY + 22 * HOUR
    first, _ = await daily.open(GuildId(1), ASHA, next(house.ids))
    house.clock.at += 2 * HOUR + 5_000
    for row in await store.read(lambda db: db.deadlines.of_table(first)):
        if row.kind == "daily":
            await daily.close(first, row.revision)
    house.clock.at -= 2 * HOUR
    second, is_new = await daily.open(GuildId(1), BIKRAM, next(house.ids))
    assert is_new
    deals = [await store.read(lambda db, table=table: db.deals.get(table, 1)) for table in (first, second)]
    assert len({deal.seed for deal in deals if deal is not None}) == 2


async def test_the_board_is_released_although_an_attempt_is_damaged(store: Store):
    house = House(store)
    daily = house.services.daily
    tables = [(await daily.open(GuildId(1), person, next(house.ids)))[0] for person in (ASHA, BIKRAM)]
    await damage_deals(store, tables[0])
    house.tables.forget(tables)
    house.clock.at += DAY
    for row in await store.read(lambda db: db.deadlines.soonest(50)):
        if row.kind == "daily":
            await house.deadlines.act(row)

    async def read(db: ReadTransaction):
        posts = [row.key for row in await db.outbox.due(house.clock.at, 50)]
        return await db.boards.get_set(1), posts, await db.deadlines.tables_waiting("daily")

    found, posts, waiting = await store.read(read)
    assert found is not None
    assert found.released_at is not None
    assert DailyPostKey(1) in posts
    assert waiting == []


async def test_the_board_is_released_although_its_last_move_is_made_as_the_day_ends(store: Store):
    house = House(store)
    table, _ = await house.services.daily.open(GuildId(1), ASHA, next(house.ids))
    house.clock.at += DAY
    [row] = [row for row in await store.read(lambda db: db.deadlines.of_table(table)) if row.kind == "daily"]
    holds_the_table, day_ends = asyncio.Event(), asyncio.Event()

    async def last_move(tx: TableTransaction) -> None:
        holds_the_table.set()
        await day_ends.wait()
        await house.play._enter(tx, played_out(require_deal(tx), tx.seats))

    moving = asyncio.create_task(house.tables.change(table, last_move))
    await holds_the_table.wait()
    closing = asyncio.create_task(house.deadlines.act(row))
    await asyncio.sleep(0)  # it has seen a deal in play, and waits for the table
    day_ends.set()
    await asyncio.gather(moving, closing)

    found = await store.read(lambda db: db.boards.get_set(1))
    assert found is not None
    assert found.released_at is not None
    assert await store.read(lambda db: db.deadlines.tables_waiting("daily")) == []


async def test_a_board_reads_the_streaks_only_of_those_it_shows(store: Store):
    """Reading those of everyone would cost more with every day that the server plays."""
    guild, players, days = GuildId(1), 40, ("2026-11-18", "2026-11-20", "2026-11-21")

    async def play(db: WriteTransaction) -> None:
        await db.guilds.keep(guild)
        for number in range(1, players + 1):
            await db.people.keep(PersonId(number), f"P{number}", 1)
        for day in days:
            today = await db.boards.open_set(guild, PRESETS["pagat"], 4, 1, day=day, closes_at=2)
            for number in range(1, players + 1):
                table = await db.tables.create(guild, NOWHERE, PersonId(number), PRESETS["pagat"], 1)
                await db.boards.add_attempt(DailyTryRow(today.id, PersonId(number), table.id, f"P{number}"))
                has_finished = number != 1 and (number != 2 or day != "2026-11-20")
                await db.boards.end_attempt(table.id, 100 - number, finished=has_finished)
            await db.boards.release_set(today.id, 5)

    await store.write(play)
    board = await House(store).services.daily.last_board(guild)
    assert len(board.lines) == players
    assert board.streaks == {number: {2: 1}.get(number, 2) for number in range(2, SHOWN + 2)}
    assert board.lines[0].attempt.player == 2


@pytest.mark.threads
async def test_a_month_ranks_those_who_finished_and_may_be_shown_in_a_thread(store: Store, monkeypatch):
    """A server that is played in by many has thousands of results in a month, and others are served meanwhile."""
    guild, players, house = GuildId(1), 4, House(store)
    house.clock.at = 1_795_000_000_000
    day = datetime.fromtimestamp(house.clock.at / 1000, UTC).date().replace(day=1)

    async def play(db: WriteTransaction) -> None:
        await db.guilds.keep(guild)
        for number in range(1, players + 1):
            await db.people.keep(PersonId(number), f"P{number}", 1)
        await db.people.set_settings(PersonId(3), PersonSettings(listed=False))
        for past in (day - timedelta(days=1), day):
            a_set = await db.boards.open_set(guild, PRESETS["pagat"], 4, 1, day=past.isoformat(), closes_at=2)
            for number in range(1, players + 1):
                table = await db.tables.create(guild, NOWHERE, PersonId(number), PRESETS["pagat"], 1)
                await db.boards.add_attempt(DailyTryRow(a_set.id, PersonId(number), table.id, f"P{number}"))
                await db.boards.end_attempt(table.id, 10 * number, finished=number != 4)
            await db.boards.release_set(a_set.id, 5)

    await store.write(play)
    threads: list[threading.Thread] = []

    def noted(attempts: Iterable[Attempt]) -> tuple[MonthLine, ...]:
        threads.append(threading.current_thread())
        return month_list(attempts)

    monkeypatch.setattr(deals, "month_list", noted)
    board = await house.services.daily.month(guild)
    assert board.month == day
    assert [(line.player, line.name, line.days, line.beaten) for line in board.lines] == [
        (2, "P2", 1, 1.0),
        (1, "P1", 1, 0.0),
    ]
    assert threads != [threading.main_thread()]


async def test_a_month_compares_two_deals_of_one_date_each_for_itself(store: Store):
    """The server's time zone or the clock was changed in between."""
    guild, house = GuildId(1), House(store)
    house.clock.at = 1_795_000_000_000
    today = datetime.fromtimestamp(house.clock.at / 1000, UTC).date().isoformat()

    async def play(db: WriteTransaction) -> None:
        await db.guilds.keep(guild)
        for person in (ASHA, BIKRAM):
            await db.people.keep(person.id, person.name, 1)
        for played in ((ASHA,), (ASHA, BIKRAM)):
            a_set = await db.boards.open_set(guild, PRESETS["pagat"], 4, 1, day=today, closes_at=2)
            for person in played:
                table = await db.tables.create(guild, NOWHERE, person.id, PRESETS["pagat"], 1)
                await db.boards.add_attempt(DailyTryRow(a_set.id, person.id, table.id, person.name))
                await db.boards.end_attempt(table.id, person.id, finished=True)
            await db.boards.release_set(a_set.id, 5)

    await store.write(play)
    board = await house.services.daily.month(guild)
    assert [(line.name, line.days, line.beaten, line.mean) for line in board.lines] == [
        ("Bikram", 1, 1.0, 12),
        ("Asha", 1, 0.0, 11),
    ]
