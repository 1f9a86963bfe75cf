"""A vote to end the deal in play, or the match between two deals: who has asked or agreed is a mark on his seat, the time left is a deadline."""

from dataclasses import replace

from bot.table.pace import VOTE_MS
from bot.table.repository import VOTE, Sitting


async def agree(sitting: Sitting, seat: int) -> None:
    """This seat wants it to end; the first one opens the vote."""
    if await sitting.deadline(VOTE) is None:
        await sitting.remind(VOTE, VOTE_MS)
    await sitting.set_seat(replace(sitting.seats[seat], ending=True))


async def clear(sitting: Sitting) -> None:
    """No vote any more."""
    await sitting.stop(VOTE)
    for seat in sitting.seats:
        if seat.ending:
            await sitting.set_seat(replace(seat, ending=False))


def is_agreed(sitting: Sitting) -> bool:
    """Whether everybody who is present wants it to end: whoever is away or has left is not asked."""
    present = [seat for seat in sitting.seats if seat.present]
    return bool(present) and all(seat.ending for seat in present)
