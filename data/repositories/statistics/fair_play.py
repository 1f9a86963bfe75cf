"""What fair play looks at beside results: when people moved, and which deals were boards that other tables played too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, and_, select

from data.schema.boards import board_set
from data.schema.core import deal, event
from data.schema.stats import played
from data.session import Session
from league.ids import GuildId, TableId
from league.results import DealId
from league.statistics.ghosting import BoardPlay


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happened in a deal."""

    deal: DealId
    type: str
    actor: int | None
    """The seat that acted; None for what happens by itself."""
    at: int
    """In milliseconds of UTC. What one press or deadline brought about has one time."""


class FairPlayQueries(Session):
    """Reads boards and times."""

    __slots__ = ()

    async def boards(self, guild_id: GuildId, since: int) -> dict[DealId, BoardPlay]:
        """The rated deals of a server that were boards which all tables have finished, from this time on."""
        rows = await self._execute(
            select(deal.c.table_id, deal.c.deal_no, deal.c.board_set, deal.c.board_no, deal.c.started_at)
            .join(played, and_(played.c.table_id == deal.c.table_id, played.c.deal_no == deal.c.deal_no))
            .join(board_set, board_set.c.id == deal.c.board_set)
            .where(played.c.guild_id == guild_id, played.c.rated, played.c.ended_at >= since)
            .where(board_set.c.released_at.is_not(None))
        )
        return {
            (TableId(row.table_id), row.deal_no): BoardPlay((row.board_set, row.board_no), row.started_at)
            for row in rows
        }

    async def moments(self, guild_id: GuildId, since: int, most: int) -> list[Moment]:
        """Everything that happened in the latest `most` rated deals of a server since that time, deal by deal, in order."""
        here = (played.c.guild_id == guild_id, played.c.rated, played.c.ended_at >= since)
        latest = (
            select(played.c.table_id, played.c.deal_no)
            .where(*here)
            .order_by(played.c.number.desc())
            .limit(most)
            .subquery()
        )
        return await self._built(
            _moments,
            select(event.c.table_id, event.c.deal_no, event.c.type, event.c.actor, event.c.at)
            .join(latest, and_(latest.c.table_id == event.c.table_id, latest.c.deal_no == event.c.deal_no))
            .order_by(event.c.table_id, event.c.deal_no, event.c.seq),
        )


def _moments(rows: Sequence[Row[Any]]) -> list[Moment]:
    return [Moment((TableId(row.table_id), row.deal_no), row.type, row.actor, row.at) for row in rows]
