"""People, tables and seats."""

from dataclasses import replace

import pytest
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from data.errors import RevisionConflictError
from data.repositories.people import Names, Nickname, PersonRow
from data.schema.core import game_table
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow, SeatRow, TableRow
from marriage.rules import RULES_VERSION, preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA


async def test_person_is_kept_under_the_latest_name(store: Store):
    async def write(db: WriteTransaction) -> None:
        await db.people.keep(RAM, "Ram", 1)
        await db.people.set_dms(RAM, open_=False)
        await db.people.keep(RAM, "राम <@1>", 2)
        await db.people.keep(SITA, "Sita", 2)

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        ram = PersonRow(RAM, Names("राम <@1>"), dms_open=False, updated_at=2, revision=3)
        sita = PersonRow(SITA, Names("Sita"), dms_open=True, updated_at=2, revision=2)
        assert await db.people.get(RAM) == ram
        assert await db.people.get(99) is None
        assert await db.people.get_many([RAM, SITA, 99]) == {RAM: ram, SITA: sita}
        assert await db.people.get_many([]) == {}

    await store.read(read)


async def test_a_person_whose_name_is_known_stays_as_they_were(store: Store):
    """An invitation sends their name again, and changes nothing else."""

    async def write(db: WriteTransaction) -> None:
        await db.people.keep(RAM, "Ram", 1)
        before = await db.people.get(RAM)
        await db.people.keep(RAM, "Ram", 2)
        assert await db.people.get(RAM) == before

    await store.write(write)


async def test_each_server_has_its_own_name_of_a_person(store: Store):
    """A press elsewhere, in a server or in direct messages, changes nothing there; without a nickname the general name is shown."""

    async def write(db: WriteTransaction) -> None:
        for general, called in (
            ("Asha", Nickname(GUILD, "Ashu")),
            ("Asha", Nickname(GUILD + 1, "Dr Asha Sharma")),
            ("Asha", Nickname(GUILD + 2, None)),
            ("Asha S.", None),
        ):
            await db.people.keep(RAM, general, 1, called)
        known = await db.people.get(RAM)
        assert known is not None
        for guild, name in (
            (GUILD, "Ashu"),
            (GUILD + 1, "Dr Asha Sharma"),
            (GUILD + 2, "Asha S."),
            (None, "Asha S."),
        ):
            assert known.names.in_server(guild) == name
            assert await db.people.listed_names([RAM], guild) == {RAM: name}
        await db.people.keep(RAM, "Asha", 2, Nickname(GUILD, "Didi"))
        await db.people.keep(RAM, "Asha", 2, Nickname(GUILD + 1, None))
        known = await db.people.get(RAM)
        assert known is not None
        assert known.names == Names("Asha", {GUILD: "Didi"})

    await store.write(write)


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

    async def read(db: ReadTransaction) -> None:
        assert await db.tables.get(table.id) == table
        assert await db.tables.get(table.id + 1) is None

    await store.read(read)


async def test_tables_with_equal_rules_share_them_in_memory(store: Store, table: TableRow):
    other = await store.write(lambda db: db.tables.create(GUILD, CHANNEL, SITA, table.rules, 2))
    one, same = [await store.read(lambda db, key=key: db.tables.get(key)) for key in (table.id, other.id)]
    assert one is not None
    assert same is not None
    assert one.rules is same.rules


async def test_table_of_strangers_is_refused(store: Store):
    with pytest.raises(IntegrityError):
        await store.write(lambda db: db.tables.create(GUILD, CHANNEL, RAM, preset("pagat"), 1))


async def test_change_raises_the_revision(store: Store, table: TableRow):
    async def write(db: WriteTransaction):
        changed = await db.tables.update(table, rules=preset("gambiter"), dealer=2)
        again = await db.tables.update(changed, status="closed", closed_at=5)
        return changed, again

    changed, again = await store.write(write)
    assert changed == replace(table, revision=1, version=1, rules=preset("gambiter"), dealer=2)
    assert again == replace(changed, revision=2, version=2, status="closed", closed_at=5)
    assert await store.read(lambda db: db.tables.get(table.id)) == again


async def test_stale_change_is_refused(store: Store, table: TableRow):
    changed = await store.write(lambda db: db.tables.update(table, dealer=1))

    async def stale_move() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.deadlines.set(DeadlineRow(table.id, "turn", 1, 5))
            await db.tables.update(table, dealer=2)

        await store.write(write)

    with pytest.raises(RevisionConflictError):
        await stale_move()

    async def read(db: ReadTransaction) -> None:
        assert await db.tables.get(table.id) == changed
        assert await db.deadlines.soonest(1) == []  # the whole transaction was rolled back

    await store.read(read)


async def test_change_of_an_unknown_table_is_refused(store: Store, table: TableRow):
    with pytest.raises(RevisionConflictError):
        await store.write(lambda db: db.tables.update(replace(table, id=77), dealer=2))


async def test_message_is_no_move(store: Store, table: TableRow):
    await store.write(lambda db: db.tables.set_message(table.id, 5, 6))

    async def read(db: ReadTransaction) -> None:
        assert await db.tables.get(table.id) == replace(table, channel_id=5, message_id=6, version=1)
        assert await db.tables.in_channel(CHANNEL) == []
        assert [row.id for row in await db.tables.in_channel(5)] == [table.id]
        assert [row.id for row in await db.tables.in_guild(table.guild_id)] == [table.id]
        assert await db.tables.in_guild(table.guild_id + 1) == []

    await store.read(read)


async def test_closed_table_is_not_among_the_open(store: Store, table: TableRow):
    async def write(db: WriteTransaction):
        second = await db.tables.create(GUILD, CHANNEL, SITA, preset("pagat"), 2)
        await db.tables.update(table, status="closed", closed_at=3)
        return second

    second = await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert await db.tables.all_open() == [second]
        assert await db.tables.in_channel(CHANNEL) == [second]
        assert await db.tables.open_of_person(RAM) == []

    await store.read(read)


async def test_ids_are_never_used_again(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        gone = await db.tables.create(GUILD, CHANNEL, SITA, preset("pagat"), 2)
        await db.tables._execute(delete(game_table).where(game_table.c.id == gone.id))
        assert (await db.tables.create(GUILD, CHANNEL, SITA, preset("pagat"), 2)).id == gone.id + 1

    await store.write(write)


async def test_seats_come_in_order_and_are_replaced_together(store: Store, table: TableRow):
    seats = (
        SeatRow(table.id, 0, None, "Maila", computer="hard"),
        SeatRow(table.id, 1, RAM, "राम", dm_channel_id=7, dm_message_id=8),
        SeatRow(table.id, 2, SITA, "Sita", computer="easy", left=True),
    )
    await store.write(lambda db: db.tables.set_seats(table.id, seats))

    async def read(db: ReadTransaction) -> None:
        assert await db.tables.seats(table.id) == seats
        assert (await db.tables.open_of_person(RAM)) == [table]
        assert await db.tables.open_of_person(SITA) == []  # Sita has left

    await store.read(read)

    async def write(db: WriteTransaction) -> None:
        await db.tables.set_seats(table.id, [])
        assert await db.tables.seats(table.id) == ()

    await store.write(write)


async def test_seats_with_a_hole_are_refused(store: Store, table: TableRow):
    for wrong in (SeatRow(table.id, 1, RAM, "राम"), SeatRow(table.id + 1, 0, RAM, "राम")):
        with pytest.raises(ValueError, match="numbered"):
            await store.write(lambda db: db.tables.set_seats(table.id, [wrong]))


async def test_a_changed_seat_leaves_the_others_alone(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        before = await db.tables.seats(table.id)
        changed = replace(before[1], dm_channel_id=70, dm_message_id=71, away=True)
        await db.tables.change_seats(table.id, [changed])
        assert await db.tables.seats(table.id) == (before[0], changed, before[2])

    await store.write(write)


async def test_every_change_makes_another_version_and_only_a_move_another_revision(
    store: Store, table: TableRow
):
    async def write(db: WriteTransaction):
        moved = await db.tables.update(table, dealer=1)
        amended = await db.tables.update(moved, is_move=False, mention_id=5)
        await db.tables.set_message(table.id, 7, 8)
        assert await db.tables.get(table.id) == replace(
            table, dealer=1, mention_id=5, channel_id=7, message_id=8, revision=1, version=3
        )
        return moved, amended

    moved, amended = await store.write(write)
    assert (moved.revision, moved.version, amended.revision, amended.version) == (1, 1, 1, 2)
    with pytest.raises(RevisionConflictError):
        await store.write(lambda db: db.tables.update(moved, dealer=2))
