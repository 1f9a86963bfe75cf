"""Direct messages of hands that are over: a deal has one message, and the next deal another."""

from dataclasses import replace

from bot.table.desk import Sitting

RETIRE = "retire"


async def retire_hands(sitting: Sitting) -> None:
    """Before a deal begins: messages that still show an earlier one are left without anything to press."""
    table, rows = sitting.table, []
    for seat in sitting.seats:
        if seat.dm_channel_id is None or seat.dm_message_id is None or seat.person_id is None:
            continue
        key = f"{RETIRE}:{seat.dm_channel_id}:{seat.dm_message_id}"
        await sitting.writer.put_outbox(table.id, RETIRE, key, table.revision + 1, sitting.now)
        await sitting.writer.set_hand_message(table.id, seat.person_id, seat.dm_channel_id, None)
        rows.append(seat.seat)
    sitting.seats = tuple(
        replace(seat, dm_message_id=None) if seat.seat in rows else seat for seat in sitting.seats
    )
