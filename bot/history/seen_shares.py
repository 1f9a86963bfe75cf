"""How often each player saw the tiplu in a season, shown with its standings.

It is computed from the deals, not the season's events.
"""

from collections.abc import Mapping

from data.ids import SeasonId
from data.transaction import ReadTransaction
from league.ids import TableId
from league.results import Player
from league.season import Season
from league.statistics.seen import Seen


async def seen_shares(db: ReadTransaction, season_id: SeasonId, season: Season) -> Mapping[Player, Seen]:
    """Return the shares by player, over all deals finished at the season's tables; home games are not included."""
    tables = {TableId(pod.table) for pod in season.pods.values() if pod.table is not None}
    seen = await db.stats.seen_in(season_id, tables)
    persons = await db.seasons.persons_of(season.members)
    return {player: seen[person] for player, person in persons.items() if person in seen}
