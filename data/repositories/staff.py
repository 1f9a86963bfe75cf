"""What those who look after a server did, and why: only ever added to."""

from sqlalchemy import insert, select

from data.rows.people import StaffActRow
from data.schema.core import staff_act
from data.session import Session


class StaffLogQueries(Session):
    """Reads the trail."""

    __slots__ = ()

    async def latest(self, guild_id: int, limit: int) -> list[StaffActRow]:
        """The latest acts in a server, the newest first."""
        return await self._all(
            StaffActRow,
            select(staff_act)
            .where(staff_act.c.guild_id == guild_id)
            .order_by(staff_act.c.id.desc())
            .limit(limit),
        )


class StaffLogRepository(StaffLogQueries):
    """Adds to the trail."""

    __slots__ = ()

    async def add(
        self, guild_id: int, table_id: int | None, person_id: int, act: str, reason: str, now: int
    ) -> None:
        """Note what a person, kept already, did in a server."""
        await self._execute(
            insert(staff_act).values(
                guild_id=guild_id, table_id=table_id, person_id=person_id, act=act, reason=reason, at=now
            )
        )
