"""A vote to end the deal in play, or the match between two deals.

Each seat is marked if it has asked or agreed. A deadline ends the vote.
"""

from dataclasses import replace

from bot.table.core.change import TableChange
from bot.table.core.pace import VOTE_MS
from bot.table.core.table import VOTE


def agree(change: TableChange, seat: int) -> None:
    """Note that this seat agrees to the end. The first seat opens the vote."""
    if change.deadline(VOTE) is None:
        change.remind(VOTE, VOTE_MS)
    change.set_seat(replace(change.seats[seat], ending=True))


def clear(change: TableChange) -> None:
    """Close the vote, if there is one."""
    change.stop(VOTE)
    for seat in change.seats:
        if seat.ending:
            change.set_seat(replace(seat, ending=False))


def is_agreed(change: TableChange) -> bool:
    """Whether everybody present agrees. People who are away or have left are not asked."""
    present = [seat for seat in change.seats if seat.present]
    return bool(present) and all(seat.ending for seat in present)
