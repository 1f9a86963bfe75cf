"""Servers and how they like things."""

from collections.abc import Iterable

from sqlalchemy import select, update

from data.dialect import insert_or_keep
from data.preferences import GuildSettings
from data.rows.people import GuildRow
from data.schema.core import guild
from data.session import Session


class GuildQueries(Session):
    """Looks servers up."""

    __slots__ = ()

    async def get_many(self, ids: Iterable[int]) -> dict[int, GuildRow]:
        """Those of the ids that the bot has met."""
        found = await self._all(GuildRow, select(guild).where(guild.c.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def settings(self, guild_id: int) -> GuildSettings:
        """How this server likes its tables; the defaults for a server that has set nothing."""
        settings = await self._scalar(select(guild.c.settings).where(guild.c.id == guild_id))
        return settings or GuildSettings()


class GuildRepository(GuildQueries):
    """Remembers servers; a server must be kept before a table names it."""

    __slots__ = ()

    async def keep(self, guild_id: int) -> None:
        """Remember a server."""
        new = {"id": guild_id, "settings": GuildSettings(), "revision": 0}
        await self._execute(insert_or_keep(guild, new))
        self._changes.guilds.add(guild_id)

    async def set_settings(self, guild_id: int, settings: GuildSettings) -> None:
        """Remember how this server, which must be kept already, likes its tables."""
        changed = {"settings": settings, "revision": guild.c.revision + 1}
        await self._execute(update(guild).where(guild.c.id == guild_id).values(changed))
        self._changes.guilds.add(guild_id)
