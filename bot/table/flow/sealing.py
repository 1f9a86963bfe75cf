"""Sealing deals before anything else happens: their seeds are drawn and the commitments shown.

A table seals its own next deal. In duplicate several tables play the same boards, sealed until the last table has played
them. The boards are drawn before anybody sits down, one commitment each. A board takes the place of the table's own deal when
it is dealt, so both commitments are shown before. What the people of all tables have
contributed before the first deal of any table counts for all boards and all tables; after that nothing more counts. Each
table begins with another board. The caller that opens the tables puts the number of the set into their options
(`TableOptions.board_set`) and passes them to `give_boards`, in order. A table with another number of seats than the boards
have plays its own deals.
"""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from bot.table.core.boards import next_board
from bot.table.core.change import TableChange, TableTransaction
from data.outbox_keys import ShowAnewKey
from data.transaction import ReadTransaction, WriteTransaction
from data.values import BoardRow, BoardSetRow, DealRow
from league.ids import GuildId, TableId
from league.statistics.duplicate import fits
from marriage.duplicate_board import board_rules
from marriage.rules import RULES_VERSION, Rules
from marriage.shuffle import SEED_BYTES, SHUFFLE_VERSION, DealSeed

MOST_FORMER = 20
"""The number of former seeds of a deal that are kept. The oldest are dropped first."""


def draw_seed() -> bytes:
    """Draw a new seed."""
    return secrets.token_bytes(SEED_BYTES)


def seal_next(change: TableChange, drawn: bytes) -> None:
    """Seal the next deal with the seed that was drawn.

    People who sat down during the deal before contribute nothing by that, because it was known before the seal.
    """
    number, rules = change.deal_no + 1, change.table.rules
    change.set_bench([replace(row, mixed=None) for row in change.bench])
    seed = DealSeed(drawn, str(change.table.id), number)
    change.prepare(
        DealRow(
            table_id=change.table.id,
            deal_no=number,
            seed=seed.seed,
            commitment=seed.commitment(rules),
            entropy=[],
            shuffle_version=SHUFFLE_VERSION,
            rules_version=RULES_VERSION,
            rules=rules,
            dealer=change.changes.get("dealer", change.table.dealer),
            started_at=change.now,
        )
    )


def reseal(change: TableChange, drawn: bytes, rules: Rules) -> None:
    """Reseal the next deal for these rules, as one of the table's own. Earlier contributions no longer count.

    The former seed is shown, so that everyone can check its commitment. The seed of a board is not shown,
    because other tables play it.
    """
    before = change.following
    seed = DealSeed(drawn, str(change.table.id), before.deal_no)
    former = [before.seed.hex()] if before.board_set is None else []
    change.prepare(
        replace(
            before,
            seed=seed.seed,
            commitment=seed.commitment(rules),
            entropy=[],
            rules=rules,
            started_at=change.now,
            former_seeds=[*before.former_seeds, *former][-MOST_FORMER:],
            board_set=None,
            board_no=None,
        )
    )


async def seal_boards(
    db: WriteTransaction, guild_id: GuildId, rules: Rules, tables: Sequence[int], boards: int, now: int
) -> BoardSetRow:
    """Draw and seal `boards` boards for tables with these numbers of seats; the server must be kept already.

    Raises ValueError if tables of these sizes cannot play duplicate.
    """
    if not fits(tables) or boards < 1:
        raise ValueError(
            "duplicate takes three tables or more, all of three or all of four seats, and a board"
        )
    rules = board_rules(rules)
    found = await db.boards.open_set(guild_id, rules, tables[0], now)
    await db.boards.add([sealed_board(found, number) for number in range(1, boards + 1)])
    return found


def sealed_board(of: BoardSetRow, number: int) -> BoardRow:
    """Return a new board of a set, with a seed of its own and the commitment to it."""
    board = BoardRow(of.id, number, draw_seed(), "", [])
    return replace(board, commitment=board.secret.commitment(of.rules))


async def give_boards(db: WriteTransaction, set_id: int, tables: Sequence[TableId]) -> None:
    """Let these tables play the boards of the set; the first table begins with the first board."""
    await db.boards.add_tables(set_id, tables)


async def prepare_next(tx: TableTransaction) -> None:
    """Prepare the next deal of a table. If it plays a board, the dealer is that of the board."""
    seal_next(tx, draw_seed())
    if tx.table.options.board_set is None:
        return
    seats = len(tx.seats) if tx.deal_no else None  # nobody knows who will come to the first deal
    board = await next_board(await tx.database(), tx.table, tx.deal_no, seats)
    if board is not None:
        _set_dealer(tx, board.dealer)


async def take_board(tx: TableTransaction) -> None:
    """Let the next board of the table, if it may be dealt here, take the place of the deal of its own."""
    if tx.table.options.board_set is None or not tx.table.kind.shares_boards:
        return
    db = await tx.database()
    board = await next_board(db, tx.table, tx.deal_no, len(tx.seats))
    if board is None:
        if tx.following.board_set is not None:  # an earlier version prepared only the board
            reseal(tx, draw_seed(), tx.following.rules)
        _set_dealer(tx, tx.following.dealer % len(tx.seats))
        return
    tx.prepare(
        replace(
            tx.following,
            seed=board.row.seed,
            commitment=board.row.commitment,
            entropy=await _closed_entropy(db, board.row),
            former_seeds=[],
            board_set=board.row.set_id,
            board_no=board.row.number,
        )
    )
    _set_dealer(tx, board.dealer)


def _set_dealer(tx: TableTransaction, dealer: int) -> None:
    tx.update(dealer=dealer)
    tx.prepare(replace(tx.following, dealer=dealer))


async def _closed_entropy(db: WriteTransaction, board: BoardRow) -> list[str]:
    """Return the contributions of all tables to a board. The first deal at any table closes it for good."""
    tables = await db.boards.tables(board.set_id)
    if await db.boards.begun(board.set_id):
        return board.entropy
    items = [
        f"{place}/{item}"
        for place, table_id in enumerate(tables, 1)
        for item in (await _first_deal(db, table_id)).entropy
    ]
    await db.boards.close(board.set_id, items)
    return items


async def _first_deal(db: ReadTransaction, table_id: TableId) -> DealRow:
    deal = await db.deals.get(table_id, 1)
    if deal is None:
        raise ValueError(f"the first deal of table {table_id} was not prepared")
    return deal


async def table_is_done(tx: TableTransaction) -> None:
    """Mark that a table has played its last board. When the last table is done, everything may be revealed."""
    set_id = tx.table.options.board_set
    if set_id is None or not tx.table.kind.shares_boards:
        return
    db = await tx.database()
    if tx.table.id not in await db.boards.tables_playing(set_id):
        return
    await db.boards.end_table(tx.table.id)
    if not await db.boards.tables_playing(set_id):
        await db.boards.release_set(set_id, tx.now)
        await _show_cards(db, tx.table.id, set_id, tx.now)


async def _show_cards(db: WriteTransaction, last_id: int, set_id: int, now: int) -> None:
    """Update the messages of all tables but the last one: until now they could show no card."""
    for table_id in await db.boards.tables(set_id):
        table = await db.tables.get(table_id)
        if table is not None and table.status == "between" and table_id != last_id:
            await db.outbox.put(ShowAnewKey(table_id), table.revision, now)
