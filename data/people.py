"""Servers and the people who play."""

from collections.abc import Iterable

from sqlalchemy import Text, func, select, type_coerce, update
from sqlalchemy.dialects.sqlite import insert

from data.preferences import GuildSettings, PersonSettings
from data.schema import guild, person
from data.session import Session
from data.values import PersonRow


class PersonQueries(Session):
    """Looks people up."""

    __slots__ = ()

    async def get(self, person_id: int) -> PersonRow | None:
        """The person of that id, if the bot has met him."""
        return (await self.get_many([person_id])).get(person_id)

    async def get_many(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """Those of the ids that the bot has met."""
        found = await self._all(PersonRow, select(person).where(person.c.id.in_(list(ids))))
        return {one.id: one for one in found}

    async def listed_names(self, ids: Iterable[int]) -> dict[int, str]:
        """The names of those of the ids who may be shown to others, as Discord last said them."""
        listed = func.json_extract(type_coerce(person.c.settings, Text), "$.listed")
        rows = await self._execute(
            select(person.c.id, person.c.name).where(
                person.c.id.in_(list(ids)), func.coalesce(listed, 1) == 1
            )
        )
        return {row.id: row.name for row in rows}

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """How this server likes its tables; the defaults for one that never said."""
        settings = await self._scalar(select(guild.c.settings).where(guild.c.id == guild_id))
        return settings or GuildSettings()


class PersonRepository(PersonQueries):
    """Remembers servers and people; both must be kept before a table names them."""

    __slots__ = ()

    async def keep_guild(self, guild_id: int) -> None:
        """Remember a server."""
        await self._execute(
            insert(guild).values(id=guild_id, settings=GuildSettings()).on_conflict_do_nothing()
        )

    async def keep_person(self, person_id: int, name: str, now: int) -> None:
        """Remember a person and the name he goes by now."""
        fresh = {"name": name, "updated_at": now}
        await self._execute(
            insert(person)
            .values(id=person_id, dms_open=True, settings=PersonSettings(), **fresh)
            .on_conflict_do_update(index_elements=[person.c.id], set_=fresh)
        )

    async def set_dms(self, person_id: int, open_: bool) -> None:  # noqa: FBT001 (reads well at the call)
        """Remember whether this person takes direct messages."""
        await self._execute(update(person).where(person.c.id == person_id).values(dms_open=open_))

    async def set_settings(self, person_id: int, settings: PersonSettings) -> None:
        """Remember how this person, who must be kept already, likes things."""
        await self._execute(update(person).where(person.c.id == person_id).values(settings=settings))

    async def set_guild_settings(self, guild_id: int, settings: GuildSettings) -> None:
        """Remember how this server, which must be kept already, likes its tables."""
        await self._execute(update(guild).where(guild.c.id == guild_id).values(settings=settings))
