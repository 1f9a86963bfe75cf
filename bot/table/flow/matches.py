"""Matches: which deals of a table count together, how earlier deals affect the next one, and votes to end them.

* A match begins with the first deal of a table or with a rematch. The number of its deals is fixed then,
  or left open up to `MOST_OPEN_DEALS`.
* Every deal that was dealt counts as one of them, even a dismissed one.
* Players who leave or are away keep their points to the end. What a computer wins or loses for them is theirs.
* The match is over after its last deal, when everybody present agrees to that between two deals, or when the table
  closes. The points so far count. A foul that is still owed then lapses.
* A vote ends the deal in play, or the match between two deals. Each seat is marked if it has asked or agreed. A deadline
  ends the vote. In a league, no one ends anything alone while others are only away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.table.core.change import TableChange, TableTransaction
from bot.table.core.table import READY, VOTE, VOTE_MS, player
from bot.table.flow.sealing import table_is_done
from data.preferences import MOST_OPEN_DEALS
from data.values import MatchEnd, MatchRow, ResultRow, SeatRow
from marriage.events import Settled
from marriage.state import State


@dataclass(frozen=True, slots=True)
class DealTerms:
    """What the earlier deals of a match determine about the next one."""

    better: bool = False
    carry: tuple[int, ...] = ()
    """The players who owe a foul, by their numbers in this deal: those without a seat follow the seats."""


def running_match(change: TableChange) -> MatchRow | None:
    """Return the match that the table is playing; None before the first deal and after a match is over."""
    match = change.match
    return None if match is None or match.is_over else match


def match_is_over(change: TableChange) -> bool:
    """Return whether the table's match is over and no other one has begun."""
    return change.match is not None and change.match.is_over


async def enter_match(tx: TableTransaction) -> DealTerms:
    """Add the deal that is about to be dealt to its match, and return its terms.

    The transaction already has the seats of this deal, and still the state of the one before.
    """
    match = running_match(tx)
    if match is None:
        await _begin(tx)
        return DealTerms()
    before = tx.deals.get(tx.deal_no)
    if before is None or before.match_deal is None:
        raise ValueError(f"deal {tx.deal_no + 1} of table {match.table_id} follows no deal of its match")
    tx.prepare(replace(tx.following, match_no=match.match_no, match_deal=before.match_deal + 1))
    return DealTerms(
        better=is_better(tx.table.rules.better_after, before.match_deal, len(tx.seats)), carry=_carry(tx)
    )


async def _begin(tx: TableTransaction) -> None:
    number = 1 if tx.match is None else tx.match.match_no + 1
    tx.match = MatchRow(tx.table.id, number, tx.table.options.deals, tx.now)
    await (await tx.database()).matches.start(tx.match)
    tx.prepare(replace(tx.following, match_no=number, match_deal=1))


async def deal_ended(tx: TableTransaction) -> None:
    """End the match after its last deal. Call this when the results of a deal are stored."""
    match, deal = running_match(tx), tx.deals.get(tx.deal_no)
    if match is None or deal is None or (deal.match_deal or 0) < (match.deals or MOST_OPEN_DEALS):
        return
    if tx.changes.get("ended") in {None, "vote"}:  # otherwise the table is closing, and that ends the match
        await end_match(tx, "played")


async def end_match(tx: TableTransaction, why: MatchEnd) -> None:
    """End the running match. Everyone has to request a new one."""
    match = running_match(tx)
    if match is None:
        raise ValueError(f"table {tx.table.id} plays no match")
    await (await tx.database()).matches.end(match.table_id, match.match_no, tx.now, why)
    tx.match = replace(match, ended_at=tx.now, ended=why)
    tx.stop(READY)
    await table_is_done(tx)
    for seat in tx.seats:
        # Those who left between two deals are marked now: from here on, people leave who have played to the end.
        has_left = seat.left and seat.stand_in is None
        if seat.ready or has_left:
            tx.set_seat(replace(seat, ready=False, stand_in="part" if has_left else seat.stand_in))
    await tx.hooks.announce_match_ended(tx, match, why)


async def table_closes(tx: TableTransaction) -> None:
    """End the match of a table that closes, for the same reason. Without a reason, an unfinished match was abandoned."""
    match = running_match(tx)
    if match is not None:
        await end_match(tx, tx.changes.get("ended") or ("abandoned" if match.deals else "closed"))
    else:
        await table_is_done(tx)


def is_better(better_after: int, played: int, players: int) -> bool:
    """Return whether the next is a better deal: `better_after` rounds, of one deal a player, are `played`."""
    return 0 < better_after <= played // players


# Fouls that are still owed


async def absent_debtors(tx: TableTransaction, deal_no: int) -> list[ResultRow]:
    """Return the last results of players who owe a foul in this deal without a seat in it, by number."""
    table_id = tx.table.id
    events = await (await tx.database()).deals.events(table_id, deal_no - 1)
    settled = events[-1] if events else None
    owing = settled.sheet.owing if isinstance(settled, Settled) else ()
    return _without_seat(_owing_rows(tx, deal_no - 1, owing), tx.seats)


def _carry(change: TableChange) -> tuple[int, ...]:
    sheet = change.state.sheet if change.state else None
    rows = _owing_rows(change, change.deal_no, sheet.owing if sheet else ())
    order = [player(row) for row in [*change.seats, *_without_seat(rows, change.seats)]]
    return tuple(order.index(player(row)) for row in rows)


def _owing_rows(change: TableChange, deal_no: int, owing: Sequence[int]) -> list[ResultRow]:
    """Return the results of players who owe after an earlier deal of the match, once for each foul."""
    by_number = {row.seat: row for row in change.before.results if row.deal_no == deal_no}
    return [by_number[number] for number in owing]


def _without_seat(rows: Sequence[ResultRow], seats: Sequence[SeatRow]) -> list[ResultRow]:
    seated = {player(seat) for seat in seats}
    return list({player(row): row for row in rows if player(row) not in seated}.values())


# Results


async def result_rows(tx: TableTransaction, state: State) -> list[ResultRow]:
    """Return the results of a finished deal: each seat, then absent players who owed a foul.

    Raises ValueError if the deal has no sheet yet.
    """
    sheet = state.sheet
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    all_seated = len(sheet.lines) == len(tx.seats)
    absent = [] if all_seated else await absent_debtors(tx, tx.deal_no)
    return [
        ResultRow(
            table_id=tx.table.id,
            deal_no=tx.deal_no,
            seat=number,
            person_id=row.person_id,
            name=row.name,
            status=line.status,
            points=line.points,
            payment=line.payment,
            net=line.net,
            winner=sheet.winner == number,
        )
        for number, (row, line) in enumerate(zip([*tx.seats, *absent], sheet.lines, strict=True))
    ]


def decided(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Return the results of deals that had a winner, or in which a player paid.

    Deals that were ended early, that no player attended, or that ran out of cards are left out: nothing
    happened in them.
    """
    numbers = {row.deal_no for row in rows if row.winner or row.net}
    return [row for row in rows if row.deal_no in numbers]


# Votes to end


def agree_to_end(change: TableChange, seat: int) -> None:
    """Note that this seat agrees to the end. The first seat opens the vote."""
    if change.deadline(VOTE) is None:
        change.remind(VOTE, VOTE_MS)
    change.set_seat(replace(change.seats[seat], ending=True))


def clear_votes(change: TableChange) -> None:
    """Close the vote, if there is one."""
    change.stop(VOTE)
    for seat in change.seats:
        if seat.ending:
            change.set_seat(replace(seat, ending=False))


def end_is_agreed(change: TableChange) -> bool:
    """Return whether everyone present agrees. People who are away or have left are not asked."""
    present = [seat for seat in change.seats if seat.present]
    return bool(present) and all(seat.ending for seat in present) and not awaits_the_others(change)


def awaits_the_others(change: TableChange) -> bool:
    """Return whether one person alone plays a match of a season, which others who are away may still come back to."""
    present = [seat for seat in change.seats if seat.present]
    return change.table.kind.is_of_season and len(present) == 1 and any(seat.away for seat in change.seats)
