"""Servers and the people who play."""

from collections.abc import Iterable

from sqlalchemy import select, update
from sqlalchemy.dialects.sqlite import insert

from data.schema import guild, person
from data.session import Session
from data.values import PersonRow


class PeopleReader(Session):
    """Looks people up."""

    __slots__ = ()

    async def person(self, person_id: int) -> PersonRow | None:
        """The person of that id, if the bot has met him."""
        return (await self.people([person_id])).get(person_id)

    async def people(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """Those of the ids that the bot has met."""
        rows = await self._execute(select(person).where(person.c.id.in_(list(ids))))
        return {row["id"]: PersonRow(**row) for row in rows.mappings()}


class PeopleWriter(PeopleReader):
    """Remembers servers and people; both must be kept before a table names them."""

    __slots__ = ()

    async def keep_guild(self, guild_id: int) -> None:
        """Remember a server."""
        await self._execute(insert(guild).values(id=guild_id).on_conflict_do_nothing())

    async def keep_person(self, person_id: int, name: str, now: int) -> None:
        """Remember a person and the name he goes by now."""
        fresh = {"name": name, "updated_at": now}
        await self._execute(
            insert(person)
            .values(id=person_id, dms_open=True, **fresh)
            .on_conflict_do_update(index_elements=[person.c.id], set_=fresh)
        )

    async def set_dms(self, person_id: int, open_: bool) -> None:  # noqa: FBT001 (reads well at the call)
        """Remember whether this person takes direct messages."""
        await self._execute(update(person).where(person.c.id == person_id).values(dms_open=open_))
