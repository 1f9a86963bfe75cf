"""What a table asks the outbox for beside its message and its hands, within the transaction that makes it needed.

Messages where it stood before are closed, with the way to where it stands now; direct messages of deals that are over
are left with nothing to press; who comes later becomes a member of its thread.
"""

from collections.abc import Collection
from dataclasses import replace

from bot.table.transaction import TableTransaction
from data.outbox_keys import ClosedMessageKey, RetiredHandKey, StandingKey, ThreadMemberKey
from data.transaction import WriteTransaction
from data.values import TableRow

FULL = "full"
LOCKED = "locked"
UNSUITABLE = "unsuitable"
DELETED = "deleted"
"""Why a table has no thread, beside permissions that are missing. Each is also a key in the message catalogues."""


async def leave_message(db: WriteTransaction, table: TableRow, now: int) -> None:
    """The table is to be posted anew: its message is forgotten, and closed as soon as there is another.

    Both in one transaction: whatever is cut off afterwards, one message is the table's and the others get closed.
    """
    if table.message_id is None:
        return
    await close_message(db, table, table.message_id, now)
    await db.tables.set_message(table.id, table.channel_id, None)


async def leave_thread(db: WriteTransaction, table: TableRow, now: int, lack: str | None = None) -> None:
    """The table has no thread any more, or never had one, for that reason; the sign that led there leads on."""
    if table.sign_id is not None:
        await close_sign(db, table, table.sign_id, now)
    await db.tables.set_thread(table.id, None, lack=lack)


async def close_sign(db: WriteTransaction, table: TableRow, sign_id: int, now: int) -> None:
    """Ask for the message in the channel that leads to the table's thread to be brought up to date."""
    await close_message(db, replace(table, thread_id=None), sign_id, now)


async def close_message(db: WriteTransaction, table: TableRow, message_id: int, now: int) -> None:
    """Ask for a message of this table to be closed."""
    await db.outbox.put(ClosedMessageKey(table.id, table.place_id, message_id), table.revision, now)


async def retire_hands(tx: TableTransaction) -> None:
    """Before a deal begins: messages that still show an earlier one are left without anything to press."""
    table = tx.table
    rows: list[int] = []
    for seat in tx.seats:
        if seat.dm_channel_id is None or seat.dm_message_id is None or seat.person_id is None:
            continue
        key = RetiredHandKey(table.id, seat.dm_channel_id, seat.dm_message_id)
        await tx.db.outbox.put(key, table.revision + 1, tx.now)
        await tx.db.tables.set_hand_message(table.id, seat.person_id, seat.dm_channel_id, None)
        rows.append(seat.seat)
    tx.seats = tuple(replace(seat, dm_message_id=None) if seat.seat in rows else seat for seat in tx.seats)


async def add_members(tx: TableTransaction, before: Collection[int | None]) -> None:
    """As a deal begins: let those who play it into the table's thread, but for the people of `before`."""
    table = tx.table
    for seat in tx.seats if table.thread_id is not None else ():
        if seat.person_id is not None and seat.person_id not in before:
            await tx.db.outbox.put(ThreadMemberKey(table.id, seat.seat), table.revision + 1, tx.now)


async def tell_all(tx: TableTransaction) -> None:
    """The deal stands, or goes on: everybody's hand shows it, and who gets no hand by direct message is told there."""
    table = tx.table
    await tx.publish_hands(range(len(tx.seats)))
    for seat in tx.seats:
        if seat.person_id is not None and not seat.left:
            await tx.db.outbox.put(StandingKey(table.id, seat.seat), table.revision + 1, tx.now)
