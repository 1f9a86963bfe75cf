"""The people who play."""

from collections.abc import Iterable

from sqlalchemy import delete, select, update

from data.dialect import json_flag, upsert
from data.ids import ChannelId
from data.preferences import PersonSettings
from data.rows.people import PersonRow
from data.schema.core import direct_channel, person
from data.session import Session
from league.ids import PersonId

LISTED = json_flag(person.c.settings, "listed").is_not(False)
"""Whether a person may be shown to others."""


class PersonQueries(Session):
    """Looks people up."""

    __slots__ = ()

    async def get(self, person_id: PersonId) -> PersonRow | None:
        """The person of this id; None if the bot has not met them."""
        return (await self.get_many([person_id])).get(person_id)

    async def get_many(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """The people among these ids whom the bot has met, by id."""
        found = await self._all(PersonRow, select(person).where(person.c.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def listed_names(self, ids: Iterable[int]) -> dict[int, str]:
        """The names of the people among these ids who may be shown to others, as last read from Discord."""
        rows = await self._execute(
            select(person.c.id, person.c.name).where(person.c.id.in_(list(ids)), LISTED)
        )
        return {row.id: row.name for row in rows}

    async def direct_channel(self, person_id: PersonId) -> ChannelId | None:
        """The channel of the direct messages with this person; None if it is not known."""
        return await self._scalar(
            select(direct_channel.c.channel_id).where(direct_channel.c.person_id == person_id)
        )


class PersonRepository(PersonQueries):
    """Stores people. A person must be stored before a table refers to them."""

    __slots__ = ()

    async def keep(self, person_id: PersonId, name: str, now: int) -> None:
        """Store a person with their present name. If that is known, they stay as they were: naming somebody changes nothing of theirs."""
        fresh = {"name": name, "updated_at": now}
        new = fresh | {"dms_open": True, "settings": PersonSettings(), "revision": now}
        changed = fresh | {"revision": person.c.revision + 1}
        is_known = person.c.name == name
        await self._execute(upsert(person, {"id": person_id}, new, on_conflict=changed, unless=is_known))
        self._changes.people.add(person_id)

    async def set_dms(self, person_id: PersonId, open_: bool) -> None:  # noqa: FBT001 (reads well at the call)
        """Store whether this person accepts direct messages."""
        await self._change(person_id, dms_open=open_)

    async def set_settings(self, person_id: PersonId, settings: PersonSettings) -> None:
        """Store the settings of this person, who must already be stored."""
        await self._change(person_id, settings=settings)

    async def set_direct_channel(self, person_id: PersonId, channel_id: ChannelId | None) -> None:
        """Store the channel of the direct messages with this person, None for none. Nobody is stored by that who was forgotten."""
        if channel_id is None:
            await self._execute(delete(direct_channel).where(direct_channel.c.person_id == person_id))
        elif await self._scalar(select(person.c.id).where(person.c.id == person_id)) is not None:
            values = {"channel_id": channel_id}
            await self._execute(upsert(direct_channel, {"person_id": person_id}, values))

    async def _change(self, person_id: PersonId, **values: object) -> None:
        changed = values | {"revision": person.c.revision + 1}
        await self._execute(update(person).where(person.c.id == person_id).values(changed))
        self._changes.people.add(person_id)
