"""Reading a table from the database as a value."""

from bot.table.core.table import Boards, Table, recent_events
from data.transaction import ReadTransaction
from data.values import DealRow
from league.ids import TableId
from marriage.apply import replay


async def load_table(db: ReadTransaction, table_id: TableId) -> Table | None:
    """The table of this id, open or closed; None if there is none. Raises EventsDamaged or UnreadableValueError."""
    row = await db.tables.get(table_id)
    if row is None:
        return None
    events = await db.deals.events(table_id, row.deal_no) if row.deal_no else []
    deals = await db.deals.deals_from(table_id, row.deal_no)
    match = await db.matches.latest(table_id)
    return Table(
        row=row,
        seats=await db.tables.seats(table_id),
        bench=await db.benches.get(table_id),
        deals=deals,
        state=replay(events) if events else None,
        played=len(events),
        recent=recent_events((), events),
        deadlines={due.kind: due for due in await db.deadlines.of_table(table_id)},
        pins=await db.pins.of_table(table_id, row.deal_no),
        guests=await db.guests.of_table(table_id),
        match=match,
        results=tuple(await db.deals.results_of_match(table_id, match.match_no)) if match else (),
        boards=await _boards(db, deals.get(row.deal_no), deals.get(row.deal_no + 1)),
        earned=tuple(await db.stats.earned_in(table_id, row.deal_no)) if row.status == "between" else (),
    )


async def _boards(db: ReadTransaction, deal: DealRow | None, following: DealRow | None) -> Boards:
    return Boards(
        is_sealed=deal is not None and await db.boards.is_sealed(deal),
        is_revealed=deal is not None and await db.boards.is_revealed(deal),
        next_is_sealed=following is not None and await db.boards.is_sealed(following),
    )
