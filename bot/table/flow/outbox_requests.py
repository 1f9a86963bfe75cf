"""What a table asks the outbox for beside its message and its hands, within the transaction that makes it needed.

Messages where it stood before are closed, with the way to where it stands now; direct messages of deals that are over
are left with nothing to press; who comes later becomes a member of its thread.
"""

from collections.abc import Collection
from dataclasses import replace

from bot.table.core.change import TableChange
from data.outbox_keys import ClosedMessageKey, RetiredHandKey, StandingKey, ThreadMemberKey

FULL = "full"
LOCKED = "locked"
UNSUITABLE = "unsuitable"
DELETED = "deleted"
"""Why a table has no thread, beside permissions that are missing. Each is also a key in the message catalogues."""


def leave_message(change: TableChange) -> None:
    """The table is to be posted anew: its message is forgotten, and closed as soon as there is another.

    Both in one transaction: whatever is cut off afterwards, one message is the table's and the others get closed.
    """
    if change.table.message_id is not None:
        close_message(change, change.table.message_id)
        change.update(message_id=None)


def leave_thread(change: TableChange, lack: str | None = None) -> None:
    """The table has no thread any more, or never had one, for that reason; the sign that led there leads on."""
    if change.table.sign_id is not None:
        close_sign(change, change.table.sign_id)
    change.update(thread_id=None, sign_id=None, thread_lack=lack)


def close_sign(change: TableChange, sign_id: int) -> None:
    """Ask for the message in the channel that leads to the table's thread to be brought up to date."""
    change.request(ClosedMessageKey(change.table.id, change.table.channel_id, sign_id))


def close_message(change: TableChange, message_id: int) -> None:
    """Ask for a message that stood where the table is shown to be closed."""
    change.request(ClosedMessageKey(change.table.id, change.table.place_id, message_id))


def retire_hands(change: TableChange) -> None:
    """Before a deal begins: messages that still show an earlier one are left without anything to press."""
    for seat in change.seats:
        if seat.dm_channel_id is None or seat.dm_message_id is None or seat.person_id is None:
            continue
        change.request(RetiredHandKey(change.table.id, seat.dm_channel_id, seat.dm_message_id))
        change.set_seat(replace(seat, dm_message_id=None))


def add_members(change: TableChange, before: Collection[int | None]) -> None:
    """As a deal begins: let those who play it into the table's thread, but for the people of `before`."""
    for seat in change.seats if change.table.thread_id is not None else ():
        if seat.person_id is not None and seat.person_id not in before:
            change.request(ThreadMemberKey(change.table.id, seat.seat))


def tell_all(change: TableChange) -> None:
    """The deal stands, or goes on: everybody's hand shows it, and those who get no hand by direct message are told."""
    change.publish_hands(range(len(change.seats)))
    for seat in change.seats:
        if seat.person_id is not None and not seat.left:
            change.request(StandingKey(change.table.id, seat.seat))
