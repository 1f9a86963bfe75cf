"""When estimates are computed again: deals or a span have ended, and the last estimates have rested."""

from dataclasses import dataclass, replace

import pytest

from bot.history.stats import LONGEST_REST_MS, REST_MS_A_DEAL, EstimatesWorker, worked_out
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import PlayedRow
from league.statistics.estimates import Basis
from league.statistics.stats import Span
from marriage.sheet import Ending
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA, first_deal, open_table
from tests.league.facts import NOON, seat

WEEK_MS = 7 * 86_400_000


@dataclass
class Hands:
    """A clock that a test moves."""

    at: int = NOON

    def now(self) -> int:
        return self.at


@pytest.fixture
async def store(place):
    store = await Store.open(place)
    yield store
    await store.close()


@pytest.fixture
async def table(store):
    return await open_table(store)


async def finish(store, table, number: int, at: int, *, with_computer: bool = False) -> None:
    """Finish a deal that Ram wins at that time."""
    await finish_of(store, table, number, at, RAM, with_computer=with_computer)


async def finish_of(
    store, table, number: int, at: int, winner: int, *, with_computer: bool = False, ruled: int = 0
) -> None:
    row = PlayedRow(
        table_id=table.id,
        deal_no=number,
        match_no=None,
        match_deal=None,
        guild_id=GUILD,
        channel_id=CHANNEL,
        private=False,
        preset="kathmandu",
        variations=0,
        seats=2,
        ending=Ending.GROUPS,
        stopped=False,
        started_at=0,
        ended_at=at,
    )

    async def write(db: WriteTransaction) -> None:
        await db.deals.start(replace(first_deal(table), deal_no=number))
        await db.stats.add_deal(
            row,
            [
                seat(winner, 9, winner=True, ruled=ruled),
                seat(None if with_computer else SITA, -9, ruled=-ruled),
            ],
        )

    await store.write(write)


async def counted(store) -> dict[Span, int | None]:
    """Return the number of deals behind the boards of each span, or None for boards never computed."""

    async def read(db: ReadTransaction):
        return {span: await db.estimates.listed(GUILD, span) for span in Span}

    kept = await store.read(read)
    return {span: estimates and estimates.deals for span, estimates in kept.items()}


async def test_the_first_deal_is_on_every_board(store, table):
    await EstimatesWorker(store, Hands()).catch_up()
    assert await counted(store) == dict.fromkeys(Span)
    await finish(store, table, 1, NOON)
    await finish(store, table, 2, NOON, with_computer=True)
    await EstimatesWorker(store, Hands()).catch_up()
    assert await counted(store) == dict.fromkeys(Span, 1)
    kept = await store.read(lambda db: db.estimates.listed(GUILD, Span.ALL))
    assert kept.of[RAM].value == pytest.approx(-kept.of[SITA].value)
    assert kept.of[RAM].value > 0
    assert kept.par > 0


async def test_what_a_ruled_foul_gave_makes_nobody_stronger(store, table):
    await finish_of(store, table, 1, NOON, RAM, ruled=9)
    await EstimatesWorker(store, Hands()).catch_up()
    kept = await store.read(lambda db: db.estimates.listed(GUILD, Span.ALL))
    assert kept.of[RAM].value == kept.of[SITA].value == pytest.approx(0)


async def test_further_deals_wait_for_their_turn(store, table):
    clock = Hands()
    estimates_worker = EstimatesWorker(store, clock)
    await finish(store, table, 1, NOON)
    await estimates_worker.catch_up()
    await finish(store, table, 2, NOON)
    await estimates_worker.catch_up()
    assert await counted(store) == dict.fromkeys(Span, 1)
    clock.at += REST_MS_A_DEAL
    await estimates_worker.catch_up()
    assert await counted(store) == dict.fromkeys(Span, 2)


async def test_what_rests_longest_is_due_after_ten_minutes(store, table):
    clock = Hands()
    estimates_worker = EstimatesWorker(store, clock)
    await finish(store, table, 1, NOON)
    await estimates_worker.catch_up()

    async def write(db: WriteTransaction) -> None:
        kept = await db.estimates.listed(GUILD, Span.ALL)
        await db.estimates.save(GUILD, Span.ALL, replace(kept, deals=1_000_000))

    await store.write(write)
    await finish(store, table, 2, NOON)
    clock.at += LONGEST_REST_MS - 1
    await estimates_worker.catch_up()
    assert (await counted(store))[Span.ALL] == 1_000_000
    clock.at += 1
    await estimates_worker.catch_up()
    assert (await counted(store))[Span.ALL] == 2


async def test_a_new_week_begins_without_deals(store, table):
    clock = Hands()
    estimates_worker = EstimatesWorker(store, clock)
    await finish(store, table, 1, NOON)
    await estimates_worker.catch_up()
    clock.at += WEEK_MS
    await estimates_worker.catch_up()
    assert await counted(store) == {Span.WEEK: 0, Span.MONTH: 1, Span.ALL: 1}


async def test_somebody_forgotten_while_estimates_are_worked_out_is_left_out(store, table):
    await finish(store, table, 1, NOON)
    fresh = await store.read(worked_out, GUILD, Basis(0, 1), NOON)

    async def write(db: WriteTransaction) -> None:
        await db.privacy.forget(RAM, NOON, "Player {number}")
        await db.estimates.save(GUILD, Span.ALL, fresh)
        assert set((await db.estimates.listed(GUILD, Span.ALL)).of) == {SITA}

    await store.write(write)


async def test_deals_added_to_the_sums_of_those_before_say_the_same_as_all_at_once(store, table, monkeypatch):
    monkeypatch.setattr("bot.history.stats.LARGE", 0)
    clock = Hands()
    worker = EstimatesWorker(store, clock)
    for number in range(1, 8):
        await finish(store, table, number, clock.at - number % 3 * WEEK_MS, with_computer=number == 4)
        clock.at += WEEK_MS // 4
        await worker.catch_up()

        async def read(db: ReadTransaction) -> None:
            for span in Span:
                kept = await db.estimates.listed(GUILD, span)
                assert kept.agrees(
                    await worked_out(db, GUILD, Basis(span.starts(clock.at), number), clock.at)
                )
                assert kept.basis.number == number

        await store.read(read)


async def test_sums_of_somebody_who_was_forgotten_are_made_anew(store, table, monkeypatch):
    monkeypatch.setattr("bot.history.stats.LARGE", 0)
    clock = Hands()
    worker = EstimatesWorker(store, clock)
    await finish(store, table, 1, NOON)
    await worker.catch_up()

    async def write(db: WriteTransaction) -> None:
        await db.privacy.forget(RAM, NOON, "Player {number}")
        await db.people.keep(RAM + 1000, "Other", NOON)

    await store.write(write)
    clock.at += REST_MS_A_DEAL
    await finish_of(store, table, 2, NOON, RAM + 1000)
    await worker.catch_up()

    async def read(db: ReadTransaction):
        kept = await db.estimates.listed(GUILD, Span.ALL)
        assert kept.agrees(await worked_out(db, GUILD, Basis(0, 2), NOON))
        return kept

    kept = await store.read(read)
    assert len(kept.of) == 3
    assert RAM not in kept.of
