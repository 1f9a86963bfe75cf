"""Finished deals as anyone may check them: the record of the shuffle, and the audit of every card."""

import json
from dataclasses import dataclass

from bot.errors import UserError
from data.repositories.statistics.deal_search import Sight
from data.store import Store
from data.values import DealRow
from league.ids import TableId
from marriage.events import Event
from marriage.review.audit import audit
from marriage.shuffle import DealRecord, DealSeed, record


@dataclass(frozen=True, slots=True)
class Checked:
    """A deal's record, and what is wrong with the deal: None for an honest one."""

    record: DealRecord
    fault: str | None
    dealt: bool
    """False for a shuffle that was sealed but never dealt."""


async def check_deal(store: Store, sight: Sight, table_id: TableId, deal_no: int | None) -> Checked:
    """Recompute a deal of a table of this server; None stands for the last finished one.

    Raises UserError for a deal that does not exist or is not over: a live deal is never revealed. The seed of
    a shuffle determines every hand, so people who may not see the deal
    (`data.repositories.statistics.deal_search`) do not get its seed either.
    """
    async with store.reading() as db:
        table = await db.tables.get(table_id)
        if table is None or table.guild_id != sight.guild_id:
            raise UserError("sorry.no_table", table=table_id)
        number = deal_no or (table.deal_no - (table.status == "playing"))
        deal = await db.deals.get(table_id, number)
        if deal is None:
            raise UserError("sorry.no_such_deal", table=table_id)
        if deal.ended_at is None and table.status != "closed":
            raise UserError("sorry.deal_not_over", deal=number)
        if await db.boards.is_sealed(deal):
            raise UserError("daily.sealed")
        events = await db.deals.events(table_id, number)
        if events and not await db.history.may_see(sight, table_id, number):
            raise UserError("sorry.verify_hidden", table=table_id, deal=number)
    secret = deal.secret
    return Checked(
        record(secret, deal.rules.deck_size), fault=_fault(deal, secret, events), dealt=bool(events)
    )


def record_json(record: DealRecord) -> str:
    """The record as a file that `python -m marriage verify` and the script in `docs/` read."""
    fields = {
        "v": record.version,
        "table": record.table,
        "deal": record.deal,
        "N": record.deck_size,
        "C": record.commitment,
        "items": record.items,
        "seed": record.seed.hex(),
        "deck": record.deck_hash,
    }
    return json.dumps(fields, indent=1)


def _fault(deal: DealRow, secret: DealSeed, events: list[Event]) -> str | None:
    if deal.commitment != secret.commitment(deal.rules):
        return "the seed is not the one that was sealed"
    if not events:
        return None
    try:
        audit(events, secret)
    except ValueError as error:
        return str(error)
    return None
