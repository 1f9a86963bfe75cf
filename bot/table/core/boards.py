"""The board that a table plays next: in duplicate, the same boards are played at several tables."""

from typing import NamedTuple

from data.transaction import ReadTransaction
from data.values import BoardRow, TableRow
from league.statistics.duplicate import board_dealer, playing_order


class NextBoard(NamedTuple):
    """A board that a table has yet to play."""

    row: BoardRow
    dealer: int
    """The seat that deals it, the same at every table."""


async def next_board(
    db: ReadTransaction, table: TableRow, played: int, seats: int | None
) -> NextBoard | None:
    """Return the next board of a table that has `played` deals; None if it plays no boards, or no longer.

    A board is only for its own rules and number of `seats`; None stands for people who are yet to come.
    """
    set_id = table.options.board_set
    found = None if set_id is None else await db.boards.get_set(set_id)
    if found is None or found.rules != table.rules or seats not in {None, found.seats}:
        return None
    tables, boards = await db.boards.tables(found.id), await db.boards.in_set(found.id)
    if table.id not in await db.boards.tables_playing(found.id) or played >= len(boards):
        return None
    order = playing_order(tables.index(table.id) + 1, len(tables), len(boards))
    row = boards[order[played] - 1]
    return NextBoard(row, board_dealer(row.number, found.seats))
