"""The table's requests to the outbox apart from its message and its hands, in the same transaction as the change.

Messages in former places of the table are closed and link to its new place. Mentions of past turns are
deleted. Direct messages of past deals lose their buttons. People who come later become members of the table's
thread.
"""

from collections.abc import Callable, Collection
from dataclasses import replace

from bot.table.core.change import TableChange
from data.ids import MessageId
from data.outbox_keys import (
    ClosedMessageKey,
    EndedMentionKey,
    RetiredHandKey,
    StandingKey,
    ThreadMemberKey,
)
from league.ids import PersonId

FULL = "full"
LOCKED = "locked"
UNSUITABLE = "unsuitable"
DELETED = "deleted"
PUBLIC = "public"
"""Why a table has no thread, apart from missing permissions.

Each value but `PUBLIC` is also a key in the message catalogues. `PUBLIC` means that the table's thread is a
post in a forum, which everybody can read.
"""


def leave_message(change: TableChange) -> None:
    """Forget the table's message so that it is posted again, and close the old one once there is a new one.

    Both happen in one transaction. So even after a crash one message is the table's, and the others get
    closed.
    """
    if change.table.message_id is not None:
        close_message(change, change.table.message_id)
        change.update(message_id=None)


def leave_thread(change: TableChange, lack: str | None = None) -> None:
    """The table has no thread, for the reason `lack`. The sign in the channel that led to it leads to the new place."""
    if change.table.sign_id is not None:
        close_sign(change, change.table.sign_id)
    change.update(thread_id=None, sign_id=None, thread_lack=lack)


def close_sign(change: TableChange, sign_id: MessageId) -> None:
    """Ask for an update of the sign: the message in the channel that leads to the table's thread."""
    change.request(ClosedMessageKey(change.table.id, change.table.channel_id, sign_id))


def close_message(change: TableChange, message_id: MessageId) -> None:
    """Ask for a former message of the table, in its present place, to be closed."""
    change.request(ClosedMessageKey(change.table.id, change.table.place_id, message_id))


def withdraw_mention(change: TableChange) -> None:
    """Forget the mention of a turn that is over, and request its deletion."""
    mention_id, channel_id = change.table.mention_id, change.table.mention_channel_id
    if mention_id is not None and channel_id is not None:
        change.request(EndedMentionKey(change.table.id, channel_id, mention_id))
        change.update(mention_id=None, mention_channel_id=None)


def retire_hands(
    change: TableChange,
    played_in: Callable[[PersonId], MessageId | None],
    of: Collection[PersonId] | None = None,
) -> None:
    """Before hands are sent in new messages, to all or to these people: remove the buttons of the messages before.

    It comes into the direct message in which a person plays. They would see it twice if they got another one as well.
    """
    for seat in change.seats:
        if seat.person_id is None or (of is not None and seat.person_id not in of):
            continue
        goes_on = None if seat.left else played_in(seat.person_id)
        if seat.dm_message_id == goes_on:
            continue
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            change.request(RetiredHandKey(change.table.id, seat.dm_channel_id, seat.dm_message_id))
        change.set_seat(replace(seat, dm_message_id=goes_on))


def add_members(change: TableChange, before: Collection[int | None]) -> None:
    """When a deal begins, add its players to the table's thread, except for the people in `before`."""
    for seat in change.seats if change.table.thread_id is not None else ():
        if seat.person_id is not None and seat.person_id not in before:
            change.request(ThreadMemberKey(change.table.id, seat.seat))


def tell_all(change: TableChange) -> None:
    """Show everybody in their hand that the deal pauses or resumes; people without a hand get a direct message."""
    change.publish_hands(range(len(change.seats)))
    for seat in change.seats:
        if seat.person_id is not None and not seat.left:
            change.request(StandingKey(change.table.id, seat.seat))
