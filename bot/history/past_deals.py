"""Finished deals for the people who may see them: what they see of a server, and one stored deal."""

from dataclasses import dataclass
from typing import Any

import discord

from bot.errors import UserError
from bot.people import guild_of
from bot.table.core.ledger import ledger_of, player
from bot.words.names import seat_name
from data.repositories.statistics.deal_search import Sight
from data.store import Store
from data.values import PlayedRow
from league.ids import GuildId, PersonId, TableId
from marriage.apply import replay
from marriage.view import View, view


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
    async with store.reading() as db:
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
    ledger = ledger_of([result for result in results if result.deal_no <= deal_no])
    lines = [result for result in results if result.deal_no == deal_no]
    return PastDeal(
        found.row,
        view(replay(events), None),
        tuple(seat_name(line.person_id, line.name) for line in lines),
        tuple(ledger.total_of(player(line)) for line in lines),
        any(line.person_id == sight.person_id for line in lines),
    )
