"""Servers with their settings, and the log of what their staff did."""

from collections.abc import Iterable

from sqlalchemy import insert, select, update

from data.dialect import insert_or_keep
from data.preferences import GuildSettings
from data.rows.people import GuildRow, StaffActRow
from data.schema.core import guild, staff_act
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


class GuildQueries(Session):
    """Looks servers up."""

    __slots__ = ()

    async def get_many(self, ids: Iterable[int]) -> dict[int, GuildRow]:
        """The servers among these ids that the bot has met, by id."""
        found = await self._all(GuildRow, select(guild).where(guild.c.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def settings(self, guild_id: GuildId) -> GuildSettings:
        """The settings of this server; the defaults if it has set nothing."""
        settings = await self._scalar(select(guild.c.settings).where(guild.c.id == guild_id))
        return settings or GuildSettings()


class GuildRepository(GuildQueries):
    """Stores servers. A server must be stored before a table refers to it."""

    __slots__ = ()

    async def keep(self, guild_id: GuildId) -> None:
        """Store a server, unless it is stored already."""
        new = {"id": guild_id, "settings": GuildSettings(), "revision": 0}
        await self._execute(insert_or_keep(guild, new))
        self._changes.guilds.add(guild_id)

    async def set_settings(self, guild_id: GuildId, settings: GuildSettings) -> None:
        """Store the settings of this server, which must already be stored."""
        changed = {"settings": settings, "revision": guild.c.revision + 1}
        await self._execute(update(guild).where(guild.c.id == guild_id).values(changed))
        self._changes.guilds.add(guild_id)
