"""A vote to end the deal in play, or the match between two deals: who has asked or agreed is a mark on his seat, the time left is a deadline."""

from dataclasses import replace

from bot.table.pace import VOTE_MS
from bot.table.transaction import VOTE, TableTransaction


async def agree(tx: TableTransaction, seat: int) -> None:
    """This seat wants it to end; the first one opens the vote."""
    if await tx.deadline(VOTE) is None:
        await tx.remind(VOTE, VOTE_MS)
    await tx.set_seat(replace(tx.seats[seat], ending=True))


async def clear(tx: TableTransaction) -> None:
    """No vote any more."""
    await tx.stop(VOTE)
    for seat in tx.seats:
        if seat.ending:
            await tx.set_seat(replace(seat, ending=False))


def is_agreed(tx: TableTransaction) -> bool:
    """Whether everybody who is present wants it to end: whoever is away or has left is not asked."""
    present = [seat for seat in tx.seats if seat.present]
    return bool(present) and all(seat.ending for seat in present)
