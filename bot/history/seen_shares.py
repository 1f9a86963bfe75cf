"""Who saw the tiplu how often in a season, beside its standings: it follows from the deals, not from the season's events."""

from collections.abc import Mapping

from data.ids import SeasonId
from data.transaction import ReadTransaction
from league.ids import TableId
from league.results import Player
from league.season import Season
from league.statistics.seen import Seen


async def seen_shares(db: ReadTransaction, season_id: SeasonId, season: Season) -> Mapping[Player, Seen]:
    """By player, over all deals that were finished at the season's tables; home games are not among them."""
    tables = {TableId(pod.table) for pod in season.pods.values() if pod.table is not None}
    seen = await db.stats.seen_in(season_id, tables)
    persons = await db.seasons.persons_of(season.members)
    return {player: seen[person] for player, person in persons.items() if person in seen}
