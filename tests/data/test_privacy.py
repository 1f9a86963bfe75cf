"""The schema itself identifies all columns that refer to a person."""

from data.privacy.traces import columns_of_people
from data.schema import TABLES
from data.store import Store
from data.transaction import WriteTransaction
from tests.data.conftest import RAM, SITA, open_table

KNOWN = {
    "number",
    "message_id",
    "channel_id",
    "guild_id",
    "table_id",
    "thread_id",
    "mention_id",
    "mention_channel_id",
    "session_id",
}


def test_no_column_with_an_id_of_a_person_is_without_its_key():
    """A column named `..._id` refers to a person, or to something known not to be one."""
    of_people = {(table.name, column.name) for table, column in columns_of_people()}
    others = KNOWN | {
        "set_id",
        "puzzle_id",
        "sign_id",
        "dm_channel_id",
        "dm_message_id",
        "staff_role_id",
        "interaction_id",
    }
    unclear = {
        (table.name, column.name)
        for table in TABLES.sorted_tables
        for column in table.columns
        if column.name.endswith("_id") and column.name not in others
    }
    assert unclear - of_people == set()
    assert {("played_seat", "person_id"), ("rating_met", "other_id"), ("game_table", "host_id")} <= of_people


def test_no_table_uses_the_id_of_a_person_as_a_row_number():
    """SQLite may keep the row number of a deleted row as the boundary between two pages."""
    people = {("person", "id")} | {(table.name, column.name) for table, column in columns_of_people()}
    keyed = {
        table.name: table.dialect_options["sqlite"]["with_rowid"]
        for table in TABLES.sorted_tables
        if {(table.name, column.name) for column in table.primary_key} <= people
    }
    assert keyed.keys() >= {"person", "direct_channel", "career"}
    assert not any(keyed.values())


async def test_forgetting_one_person_touches_no_other(store: Store):
    await open_table(store)

    async def write(db: WriteTransaction) -> None:
        before = await db.privacy.everything_of(SITA)
        assert await db.privacy.forget(RAM, 5_000, "Player {number}")
        assert not await db.privacy.forget(RAM, 5_000, "Player {number}")
        assert await db.privacy.everything_of(RAM) == {}
        assert await db.privacy.everything_of(SITA) == before
        nobody = next(seat.person_id for seat in await db.tables.seats(1) if seat.seat == 0)
        assert nobody is not None
        assert nobody < 0
        table = await db.tables.get(1)
        assert table is not None
        assert table.host_id == nobody

    await store.write(write)


async def test_the_channel_of_direct_messages_is_forgotten_with_its_person(store: Store):
    await open_table(store)

    async def write(db: WriteTransaction) -> None:
        for channel_id in (7, 8):
            await db.people.set_direct_channel(RAM, channel_id)
        assert await db.people.direct_channel(RAM) == 8
        assert (await db.privacy.everything_of(RAM))["direct_channel"] == [
            {"person_id": RAM, "channel_id": 8}
        ]
        await db.people.set_direct_channel(SITA, 9)
        await db.people.set_direct_channel(SITA, None)
        assert await db.people.direct_channel(SITA) is None
        await db.privacy.forget(RAM, 5_000, "Player {number}")
        await db.people.set_direct_channel(RAM, 10)
        assert await db.people.direct_channel(RAM) is None

    await store.write(write)
