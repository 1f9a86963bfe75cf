"""Each process asks only for the rows of its own shards, according to their servers."""

import pytest

from data.ids import ChannelId, MessageId
from data.outbox_keys import DailyPostKey, OutboxKey, ScoreAmendmentKey, SeasonPostKey, TableMessageKey
from data.repositories.tables import MatchPlace
from data.season_posts import EndPost
from data.shards import Share
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow, MatchRow
from marriage.rules import preset

RULES = preset("kathmandu")
RAM = 11
GUILDS = 8 << 22, 9 << 22
"""Servers of shard 0 and shard 1 of two."""
EVEN, ODD, NONE = (Share(2, frozenset(held)) for held in ((0,), (1,), ()))


async def furnish(db: WriteTransaction, guild_id: int) -> tuple[int, list[OutboxKey]]:
    """Create a server with something of every kind; return its table, and a message about each thing."""
    await db.guilds.keep(guild_id)
    await db.people.keep(RAM, "राम", 1)
    table = await db.tables.create(guild_id, guild_id + 1, RAM, RULES, 1)
    times = {"starts_at": 0, "acted_until": 0, "due_at": guild_id, "created_at": 0, "closed_at": None}
    fields = {"guild_id": guild_id, "channel_id": 2, "name": "Autumn", "number": 1, "former": None}
    season = await db.seasons.create(**fields, **times, rules=RULES, pace="none", seed=b"x" * 32)
    boards = await db.boards.open_set(guild_id, RULES, 4, 1)
    score = await db.score_sessions.open(guild_id, guild_id + 1, ("A", "B"), RULES, [RAM], 1)
    return table.id, [
        TableMessageKey(table.id),
        SeasonPostKey(season.id, EndPost()),
        DailyPostKey(boards.id),
        ScoreAmendmentKey(score.id, ChannelId(5), MessageId(6)),
    ]


@pytest.fixture
async def furnished(store: Store) -> list[tuple[int, list[OutboxKey]]]:
    """The table and the messages of each of the two servers."""

    async def write(db: WriteTransaction):
        found = [await furnish(db, guild_id) for guild_id in GUILDS]
        for number, (table_id, keys) in enumerate(found):
            await db.deadlines.set(DeadlineRow(table_id, "turn", 1, 100 * (number + 1)))
            for key in keys:
                await db.outbox.put(key, 1, 10 * (number + 1))
        return found

    return await store.write(write)


async def test_the_messages_of_a_share(store: Store, furnished: list[tuple[int, list[OutboxKey]]]):
    (_, even), (_, odd) = furnished

    async def read(db: ReadTransaction) -> None:
        for share, keys in ((EVEN, even), (ODD, odd), (NONE, [])):
            for kinds in (None, {key.kind for key in even}):
                found = await db.outbox.look(1_000, 50, kinds=kinds, gap_ms=5, share=share)
                assert {row.key for row in found.due} == set(keys)
        assert (await db.outbox.look(15, 50, share=ODD)).next_at == 20
        assert len((await db.outbox.look(1_000, 50)).due) == len(even + odd)

    await store.read(read)


async def test_what_belongs_to_no_server_is_shard_0_s(store: Store):
    key = TableMessageKey(77)
    await store.write(lambda db: db.outbox.put(key, 1, 10))

    async def read(db: ReadTransaction) -> None:
        assert [row.key for row in (await db.outbox.look(10, 5, share=EVEN)).due] == [key]
        assert (await db.outbox.look(10, 5, share=ODD)).due == []

    await store.read(read)


async def test_the_deadlines_of_a_share(store: Store, furnished: list[tuple[int, list[OutboxKey]]]):
    tables = [table_id for table_id, _ in furnished]

    async def read(db: ReadTransaction) -> None:
        for share, own in ((EVEN, tables[:1]), (ODD, tables[1:]), (NONE, [])):
            assert [row.table_id for row in await db.deadlines.soonest(5, (), share)] == own
            assert await db.deadlines.tables_waiting("turn", share) == own
            assert await db.deadlines.tables_telling_time(["turn"], share) == own
        assert await db.deadlines.soonest(5, tables[1:], ODD) == []

    await store.read(read)


async def test_the_matches_of_a_share_that_do_not_wait(
    store: Store, furnished: list[tuple[int, list[OutboxKey]]]
):
    (even, _), (odd, _) = furnished

    async def write(db: WriteTransaction) -> None:
        for table_id in (even, odd):
            await db.matches.start(MatchRow(table_id, 1, 3, 1))

    async def read(db: ReadTransaction) -> None:
        for share, table_id, guild_id in ((EVEN, even, GUILDS[0]), (ODD, odd, GUILDS[1])):
            found = [MatchPlace(table_id, guild_id, guild_id + 1, is_between=False)]
            assert await db.tables.in_play("paused", share) == found
            assert await db.tables.in_play("turn", share) == []
        assert await db.tables.in_play("paused", NONE) == []

    assert await store.read(lambda db: db.tables.in_play("paused", EVEN)) == []
    await store.write(write)
    await store.read(read)


async def test_an_outage_of_a_shard_moves_its_clocks_alone(
    store: Store, furnished: list[tuple[int, list[OutboxKey]]]
):
    (even, _), (odd, _) = furnished
    before = await store.read(lambda db: db.tables.get_many([even, odd]))

    async def write(db: WriteTransaction) -> None:
        await db.deadlines.credit(0, 1_000, 0, ODD)
        await db.outbox.advance(5, ODD)

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert [row.due_at for row in await db.deadlines.soonest(5)] == [100, 1_200]
        after = await db.tables.get_many([even, odd])
        assert [after[table].version - before[table].version for table in (even, odd)] == [0, 1]
        assert (await db.outbox.look(0, 5, share=EVEN)).next_at == 10
        assert (await db.outbox.look(0, 5, share=ODD)).next_at == 15

    await store.read(read)


async def test_the_seasons_of_a_share(store: Store, furnished: list[tuple[int, list[OutboxKey]]]):
    even, odd = [keys[1].about for _, keys in furnished]

    async def read(db: ReadTransaction) -> None:
        (first,) = await db.seasons.soonest(5, (), EVEN)
        assert first[0] == even
        assert await db.seasons.soonest(5, (), ODD) == [(odd, GUILDS[1])]
        assert await db.seasons.soonest(5, [odd], ODD) == []
        assert await db.seasons.running(ODD) == [odd]
        assert await db.seasons.soonest(5, (), NONE) == []

    await store.read(read)


async def test_when_a_shard_was_served_last(store: Store):
    assert await store.read(lambda db: db.key_values.last_served(EVEN)) == {}

    async def write(db: WriteTransaction) -> None:
        await db.key_values.served(EVEN, 5_000)
        await db.key_values.served(ODD, 7_000)
        await db.key_values.served(NONE, 9_000)

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert await db.key_values.last_served(Share(2, frozenset({0, 1}))) == {0: 5_000, 1: 7_000}
        assert await db.key_values.last_served(Share(4, frozenset({3}))) == {3: 7_000}
        assert await db.key_values.last_alive() == 7_000

    await store.read(read)
    await store.write(lambda db: db.key_values.alive(6_000))  # the clock was set back meanwhile
    assert await store.read(lambda db: db.key_values.last_served(Share(2, frozenset({0, 1})))) == {
        0: 6_000,
        1: 6_000,
    }


async def test_a_shard_that_was_never_served_is_not_as_recent_as_another(store: Store):
    await store.write(lambda db: db.key_values.alive(5_000))
    await store.write(lambda db: db.key_values.served(EVEN, 9_000))
    assert await store.read(lambda db: db.key_values.last_served(ODD)) == {1: 5_000}
