"""Files for those who look after a server or a league: deals, results and standings for other programs."""

from collections.abc import Mapping

from bot.history.season_page import season_page
from bot.words.texts import Texts
from data.store import Store
from league.export import files_of, results_sheet, season_deals_sheet, standings_sheet
from league.results import Player
from league.season import Season
from league.standings import standings
from league.statistics.facts import DealFacts

MOST_DEALS = 5_000
"""Of a server in one export, the latest: more would not fit into a message."""


async def deals_of(store: Store, guild_id: int, since: int) -> list[DealFacts]:
    """The latest finished deals of a server since that time, in their order, without those of private tables."""
    async with store.read() as db:
        return [deal async for deal in db.stats.deals_of_guild(guild_id, since, MOST_DEALS)]


def season_files(season: Season, names: Mapping[Player, str], now: int, texts: Texts) -> dict[str, bytes]:
    """Everything of a season, contents by file name. `now` in milliseconds of UTC."""
    divisions = sorted({member.division for member in season.members.values() if member.division}) or [0]
    tables = [standings(season, division=number) for number in divisions]
    sheets = [
        results_sheet(season, names),
        standings_sheet(tables, names),
        season_deals_sheet(season, names),
    ]
    return files_of(sheets) | {"season.html": season_page(season, tables, names, now, texts).encode()}
