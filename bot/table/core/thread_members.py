"""Requests to let people into a table's thread, and out of a private one when they no longer belong to the table."""

from collections.abc import Collection, Iterable

from bot.table.core.change import TableChange
from data.outbox_keys import ThreadAccessKey
from league.ids import PersonId


def add_members(change: TableChange, before: Collection[int | None]) -> None:
    """Add the players of a deal that begins to the table's thread, except for the people in `before`."""
    for seat in change.seats if change.table.thread_id is not None else ():
        if seat.person_id is not None and seat.person_id not in before:
            change.request(ThreadAccessKey(change.table.id, seat.person_id))


def review_members(change: TableChange, people: Iterable[PersonId]) -> None:
    """Remove those of these people from the table's private thread who do not belong to the table after the change."""
    if change.table.thread_id is not None and change.table.kind.by_invitation:
        for person_id in people:
            change.request(ThreadAccessKey(change.table.id, person_id))


def people_at(change: TableChange) -> set[PersonId]:
    """Return everyone with a place at the table, in its deal or on its bench."""
    places = (*change.seats, *change.bench)
    return {place.person_id for place in places if place.person_id is not None}
