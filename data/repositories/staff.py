"""The log of staff acts in a server, with their reasons. Acts are only added, never changed."""

from sqlalchemy import insert, select

from data.rows.people import StaffActRow
from data.schema.core import staff_act
from data.session import Session
from league.ids import GuildId, PersonId, TableId


class StaffLogQueries(Session):
    """Reads the log."""

    __slots__ = ()

    async def latest(self, guild_id: GuildId, limit: int) -> list[StaffActRow]:
        """The latest acts in a server, the newest first."""
        return await self._all(
            StaffActRow,
            select(staff_act)
            .where(staff_act.c.guild_id == guild_id)
            .order_by(staff_act.c.id.desc())
            .limit(limit),
        )


class StaffLogRepository(StaffLogQueries):
    """Adds to the log."""

    __slots__ = ()

    async def add(
        self,
        guild_id: GuildId,
        table_id: TableId | None,
        person_id: PersonId,
        act: str,
        reason: str,
        now: int,
    ) -> None:
        """Log an act in a server by a person, who must already be stored."""
        await self._execute(
            insert(staff_act).values(
                guild_id=guild_id, table_id=table_id, person_id=person_id, act=act, reason=reason, at=now
            )
        )
