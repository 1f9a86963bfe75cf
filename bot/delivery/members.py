"""Who comes to a table later becomes a member of its thread as well: he sees no private one otherwise."""

from collections.abc import Collection

from bot.table.desk import Sitting

MEMBER = "member"


async def add_members(sitting: Sitting, before: Collection[int | None]) -> None:
    """As a deal begins: let those who play it into the table's thread, but for the people of `before`."""
    table = sitting.table
    for seat in sitting.seats if table.thread_id is not None else ():
        if seat.person_id is not None and seat.person_id not in before:
            key = f"{MEMBER}:{table.id}:{seat.seat}"
            await sitting.writer.put_outbox(
                table.id, MEMBER, key, table.revision + 1, sitting.now, seat=seat.seat
            )
