"""People, tables and seats."""

from dataclasses import replace

import pytest
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from data.errors import RevisionConflictError
from data.schema import game_table
from data.store import Store
from data.values import PersonRow, SeatRow, TableRow
from marriage.rules import RULES_VERSION, preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA


async def test_person_is_kept_under_the_latest_name(store: Store):
    async with store.write() as writer:
        await writer.keep_person(RAM, "Ram", 1)
        await writer.set_dms(RAM, open_=False)
        await writer.keep_person(RAM, "राम <@1>", 2)
        await writer.keep_person(SITA, "Sita", 2)
    async with store.read() as reader:
        ram = PersonRow(RAM, "राम <@1>", dms_open=False, updated_at=2)
        sita = PersonRow(SITA, "Sita", dms_open=True, updated_at=2)
        assert await reader.person(RAM) == ram
        assert await reader.person(99) is None
        assert await reader.people([RAM, SITA, 99]) == {RAM: ram, SITA: sita}
        assert await reader.people([]) == {}


async def test_new_table_reads_back_as_it_was_made(store: Store, table: TableRow):
    assert table == TableRow(
        id=table.id,
        guild_id=GUILD,
        channel_id=CHANNEL,
        message_id=None,
        host_id=RAM,
        status="lobby",
        revision=0,
        rules=preset("kathmandu", alter=True),
        rules_version=RULES_VERSION,
        deal_no=0,
        dealer=0,
        created_at=1_000,
        closed_at=None,
        opened_by=RAM,
    )
    async with store.read() as reader:
        assert await reader.table(table.id) == table
        assert await reader.table(table.id + 1) is None


async def test_table_of_strangers_is_refused(store: Store):
    with pytest.raises(IntegrityError):
        async with store.write() as writer:
            await writer.create_table(GUILD, CHANNEL, RAM, preset("pagat"), 1)


async def test_change_raises_the_revision(store: Store, table: TableRow):
    async with store.write() as writer:
        changed = await writer.change_table(table, rules=preset("gambiter"), dealer=2)
        again = await writer.change_table(changed, status="closed", closed_at=5)
    assert changed == replace(table, revision=1, rules=preset("gambiter"), dealer=2)
    assert again == replace(changed, revision=2, status="closed", closed_at=5)
    async with store.read() as reader:
        assert await reader.table(table.id) == again


async def test_stale_change_is_refused(store: Store, table: TableRow):
    async with store.write() as writer:
        changed = await writer.change_table(table, dealer=1)

    async def stale_move() -> None:
        async with store.write() as writer:
            await writer.set_deadline(table.id, "turn", 1, 5)
            await writer.change_table(table, dealer=2)

    with pytest.raises(RevisionConflictError):
        await stale_move()
    async with store.read() as reader:
        assert await reader.table(table.id) == changed
        assert await reader.soonest_deadlines(1) == []  # the whole transaction went


async def test_change_of_an_unknown_table_is_refused(store: Store, table: TableRow):
    with pytest.raises(RevisionConflictError):
        async with store.write() as writer:
            await writer.change_table(replace(table, id=77), dealer=2)


async def test_message_is_no_move(store: Store, table: TableRow):
    async with store.write() as writer:
        await writer.set_message(table.id, 5, 6)
    async with store.read() as reader:
        assert await reader.table(table.id) == replace(table, channel_id=5, message_id=6)
        assert await reader.tables_of_channel(CHANNEL) == []
        assert [row.id for row in await reader.tables_of_channel(5)] == [table.id]
        assert [row.id for row in await reader.tables_of_guild(table.guild_id)] == [table.id]
        assert await reader.tables_of_guild(table.guild_id + 1) == []


async def test_closed_table_is_not_among_the_open(store: Store, table: TableRow):
    async with store.write() as writer:
        second = await writer.create_table(GUILD, CHANNEL, SITA, preset("pagat"), 2)
        await writer.change_table(table, status="closed", closed_at=3)
    async with store.read() as reader:
        assert await reader.open_tables() == [second]
        assert await reader.tables_of_channel(CHANNEL) == [second]
        assert await reader.open_table_of_person(RAM) is None


async def test_ids_are_never_used_again(store: Store, table: TableRow):
    async with store.write() as writer:
        gone = await writer.create_table(GUILD, CHANNEL, SITA, preset("pagat"), 2)
        await writer._execute(delete(game_table).where(game_table.c.id == gone.id))
        assert (await writer.create_table(GUILD, CHANNEL, SITA, preset("pagat"), 2)).id == gone.id + 1


async def test_seats_come_in_order_and_are_replaced_together(store: Store, table: TableRow):
    seats = (
        SeatRow(table.id, 0, None, "Maila", computer="hard"),
        SeatRow(table.id, 1, RAM, "राम", dm_channel_id=7, dm_message_id=8),
        SeatRow(table.id, 2, SITA, "Sita", computer="easy", left=True),
    )
    async with store.write() as writer:
        await writer.set_seats(table.id, seats)
    async with store.read() as reader:
        assert await reader.seats(table.id) == seats
        assert (await reader.open_table_of_person(RAM)) == table
        assert await reader.open_table_of_person(SITA) is None  # she left
    async with store.write() as writer:
        await writer.set_seats(table.id, [])
        assert await writer.seats(table.id) == ()


async def test_seats_with_a_hole_are_refused(store: Store, table: TableRow):
    for wrong in (SeatRow(table.id, 1, RAM, "राम"), SeatRow(table.id + 1, 0, RAM, "राम")):
        with pytest.raises(ValueError, match="numbered"):
            async with store.write() as writer:
                await writer.set_seats(table.id, [wrong])


async def test_hand_message_belongs_to_one_seat(store: Store, table: TableRow):
    async with store.write() as writer:
        before = await writer.seats(table.id)
        await writer.set_hand_message(table.id, SITA, 70, 71)
        first, second, third = await writer.seats(table.id)
        assert (first, third) == (before[0], before[2])
        assert second == replace(before[1], dm_channel_id=70, dm_message_id=71)
        await writer.set_hand_message(table.id, SITA, 70, None)
        assert (await writer.seats(table.id))[1] == replace(before[1], dm_channel_id=70)
