"""Finished deals for the people who may see them: what they see of a server, and one stored deal."""

import json
from dataclasses import dataclass
from typing import Any

import discord

from bot.errors import UserError
from bot.people import guild_of
from bot.table.core.table import ledger_of, player
from bot.words.names import seat_name
from data.repositories.statistics.deal_search import Sight
from data.store import Store
from data.transaction import ReadTransaction
from data.values import DealRow, PlayedRow
from league.ids import GuildId, PersonId, TableId
from marriage.apply import replay
from marriage.events import Event
from marriage.review import audit
from marriage.shuffle import DealRecord, DealSeed, record
from marriage.view import View, view


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

    async def read(db: ReadTransaction):
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
        return deal, events

    deal, events = await store.read(read)
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


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A deal that is over, as everybody who sat at its table saw it then."""

    row: PlayedRow
    view: View
    """The spectator's view after the end, with all hands open."""
    names: tuple[str, ...]
    """The names by line of the sheet, as plain text."""
    totals: tuple[int, ...]
    """The running totals of its match after the deal, by line of its sheet."""
    is_own: bool
    """Whether the person who asks played in it."""


def sight_of(interaction: discord.Interaction[Any]) -> Sight:
    """Return what the author of an interaction sees: the channels of the server, without private threads."""
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return Sight(PersonId(interaction.user.id), guild_of(interaction))
    seen = {
        place.id
        for place in (*guild.channels, *guild.threads)
        if not (isinstance(place, discord.Thread) and place.is_private())
        and place.permissions_for(member).view_channel
    }
    return Sight(PersonId(member.id), GuildId(guild.id), frozenset(seen))


async def past_deal(store: Store, sight: Sight, table_id: TableId, deal_no: int) -> PastDeal:
    """A finished deal; raises UserError if it does not exist, is not over, or may not be seen by the person."""

    async def read(db: ReadTransaction):
        found = await db.history.find(sight, table_id, deal_no)
        if found is None:
            raise UserError("pastdeal.none")
        deal = await db.deals.get(table_id, deal_no)
        if deal is not None and await db.boards.is_sealed(deal):
            raise UserError("daily.sealed")
        events = await db.deals.events(table_id, deal_no)
        match_no = found.row.match_no
        results = await (
            db.deals.results(table_id) if match_no is None else db.deals.results_of_match(table_id, match_no)
        )
        return found, events, results

    found, events, results = await store.read(read)
    ledger = ledger_of([result for result in results if result.deal_no <= deal_no])
    lines = [result for result in results if result.deal_no == deal_no]
    return PastDeal(
        found.row,
        view(replay(events), None),
        tuple(seat_name(line.person_id, line.name) for line in lines),
        tuple(ledger.total_of(player(line)) for line in lines),
        any(line.person_id == sight.person_id for line in lines),
    )
