"""Entering a deal that has ended into the record: who did what in it, and what follows for ratings and boards."""

from bot.table.core.change import TableTransaction
from bot.table.core.hooks import TableHooks
from bot.table.core.ledger import ledger_of, player
from data.transaction import ReadTransaction
from data.values import PlayedRow, SeatRow
from league.statistics.facts import SeatFacts, StandIn, places
from marriage.review.seat_summary import seat_summaries
from marriage.rules import nearest_preset
from marriage.sheet import Sheet


def follow(hooks: TableHooks[TableTransaction]) -> None:
    """Let every deal that ends at a table be entered."""
    hooks.deal_ended.append(enter)


async def enter(tx: TableTransaction) -> None:
    """Enter the deal that this transaction has brought to its end; its results are stored already."""
    table, deal, sheet = tx.table, tx.deals.get(tx.deal_no), tx.state and tx.state.sheet
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    if deal is None:
        raise ValueError(f"deal {tx.deal_no} of table {table.id} is not stored")
    db = await tx.database()
    name, differences = nearest_preset(deal.rules)
    seats = await _seats(db, tx, sheet, deal.match_no)
    row = PlayedRow(
        table_id=table.id,
        deal_no=deal.deal_no,
        match_no=deal.match_no,
        match_deal=deal.match_deal,
        guild_id=table.guild_id,
        channel_id=table.channel_id,
        private=table.kind.by_invitation,
        preset=name,
        variations=len(differences),
        seats=len(seats),
        ending=sheet.ending,
        stopped=tx.changes.get("ended") is not None or _is_ruled(tx),
        started_at=deal.started_at,
        ended_at=tx.now,
    )
    await db.stats.enter(row, seats)


def _is_ruled(tx: TableTransaction) -> bool:
    """Whether a foul was ruled in the deal: then a person has had a say in its figures, and it counts for no board."""
    return tx.state is not None and any(seat.ruled is not None for seat in tx.state.seats)


async def _seats(
    db: ReadTransaction, tx: TableTransaction, sheet: Sheet, match_no: int | None
) -> list[SeatFacts]:
    """Return what each seat of the deal did."""
    lines = sheet.lines[: len(tx.seats)]
    results = await db.deals.results_of_match(tx.table.id, match_no) if match_no else []
    events = await db.deals.events(tx.table.id, tx.deal_no)
    ledger = ledger_of(results)
    placed = places([line.net for line in lines])
    standings = places([ledger.total_of(player(seat)) for seat in tx.seats])
    return [
        SeatFacts(
            person=seat.person_id,
            name=seat.name,
            net=line.net,
            points=line.points,
            place=placed[seat.seat],
            standing=standings[seat.seat],
            winner=sheet.winner == seat.seat,
            status=line.status,
            shown=summary.shown,
            shown_turn=summary.shown_turn,
            one_turn=summary.one_turn,
            tunnelas=summary.tunnelas,
            marriages=summary.marriages,
            tiplus=summary.tiplus,
            stand_in=_stand_in(seat),
        )
        for seat, line, summary in zip(tx.seats, lines, seat_summaries(events), strict=True)
    ]


def _stand_in(seat: SeatRow) -> StandIn | None:
    if seat.person_id is None or seat.stand_in is None:
        return None
    if seat.stand_in == "whole":
        return StandIn.WHOLE
    return StandIn.BACK if seat.present else StandIn.PART
