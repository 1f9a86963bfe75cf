"""The results of a finished deal as stored rows."""

from collections.abc import Sequence

from bot.table.core.change import TableTransaction
from bot.table.flow import matches
from data.values import ResultRow
from marriage.state import State


async def results(tx: TableTransaction, state: State) -> list[ResultRow]:
    """The results of a finished deal: each seat, then absent players who owed a foul.

    Raises ValueError if the deal has no sheet yet.
    """
    sheet = state.sheet
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    all_seated = len(sheet.lines) == len(tx.seats)
    absent = [] if all_seated else await matches.absent_debtors(tx, tx.deal_no)
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

    Deals that were ended early, that nobody came to play, or that ran out of cards are left out: nothing
    happened in them.
    """
    numbers = {row.deal_no for row in rows if row.winner or row.net}
    return [row for row in rows if row.deal_no in numbers]
