"""People and servers with their settings, and the log of what the staff of a server did."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, insert, select, update

from data.dialect import insert_or_keep, json_flag, upsert
from data.ids import ChannelId
from data.preferences import GuildSettings, PersonSettings
from data.schema.core import direct_channel, guild, nickname, person, staff_act
from data.session import Session
from league.ids import GuildId, PersonId, TableId


@dataclass(frozen=True, slots=True)
class Nickname:
    """What a person is called in one server."""

    guild_id: GuildId
    name: str | None
    """None if they have no nickname there, and go by their general name."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a person is called, as last received from Discord."""

    general: str
    """The name in direct messages, and in every server where no nickname is known."""
    nicknames: Mapping[int, str] = field(default_factory=dict[int, str])
    """The nicknames by server. One server must not learn that of another."""

    def in_server(self, guild_id: GuildId | None) -> str:
        """Return the name to show in this server; with None, in direct messages about no server."""
        return self.general if guild_id is None else self.nicknames.get(guild_id, self.general)


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person, with their names."""

    id: PersonId
    names: Names
    dms_open: bool
    """False once Discord refused a direct message to this person."""
    updated_at: int
    """When this general name was first received from Discord."""
    settings: PersonSettings = field(default_factory=PersonSettings)
    revision: int = 0
    """Grows with every change.

    It begins at the current time in milliseconds, so that it never repeats after a person was forgotten.
    """

    @property
    def is_forgotten(self) -> bool:
        """Whether this is what is left of a person who was forgotten: a number of no one."""
        return self.id < 0


@dataclass(frozen=True, slots=True)
class GuildRow:
    """A server that the bot has met."""

    id: GuildId
    settings: GuildSettings
    revision: int
    """Grows with every change."""


@dataclass(frozen=True, slots=True)
class StaffActRow:
    """An action of a member of a server's staff, and its reason."""

    id: int
    guild_id: GuildId
    table_id: TableId | None
    person_id: PersonId
    act: str
    reason: str
    at: int
    target_id: PersonId | None = None
    """The person whom it concerns, if it concerns one."""


LISTED = json_flag(person.c.settings, "listed").is_not(False)
"""Whether a person may be shown to others."""


def name_in_server(guild_id: GuildId | None) -> ColumnElement[str]:
    """Return the column with the name to show in this server, like `Names.in_server`, for a query of `person`."""
    if guild_id is None:
        return person.c.name
    there = select(nickname.c.name).where(
        nickname.c.person_id == person.c.id, nickname.c.guild_id == guild_id
    )
    return func.coalesce(there.correlate(person).scalar_subquery(), person.c.name)


def nicknames_by_owner(rows: Iterable[Row[Any]]) -> dict[int, dict[int, str]]:
    """Return the nicknames in these rows of an owner, a server and a name: by owner, then by server."""
    found: dict[int, dict[int, str]] = {}
    for row in rows:
        found.setdefault(row[0], {})[row.guild_id] = row.name
    return found


def _people(rows: Sequence[Row[Any]], nicknames: Sequence[Row[Any]]) -> dict[int, PersonRow]:
    known = nicknames_by_owner(nicknames)
    return {
        row.id: PersonRow(
            row.id,
            Names(row.name, known.get(row.id, {})),
            row.dms_open,
            row.updated_at,
            row.settings,
            row.revision,
        )
        for row in rows
    }


class PersonQueries(Session):
    """Looks up people."""

    async def get(self, person_id: PersonId) -> PersonRow | None:
        """Return the person of this id; None if the bot has not met them."""
        return (await self.get_many([person_id])).get(person_id)

    async def get_many(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """Return the people among these ids whom the bot has met, by id."""
        chosen = list(ids)
        return await self._built(
            _people,
            select(person).where(person.c.id.in_(chosen)),
            select(nickname).where(nickname.c.person_id.in_(chosen)),
        )

    async def listed_names(self, ids: Iterable[int], guild_id: GuildId | None) -> dict[int, str]:
        """Return the names to show in this server, like `Names.in_server`, of those people who may be shown to others."""
        name = name_in_server(guild_id).label("name")
        rows = await self._execute(select(person.c.id, name).where(person.c.id.in_(list(ids)), LISTED))
        return {row.id: row.name for row in rows}

    async def count_forgotten(self) -> int:
        """Return how many people were forgotten."""
        return await self._scalar(select(func.count()).where(person.c.id < 0))

    async def direct_channel(self, person_id: PersonId) -> ChannelId | None:
        """Return the channel of the direct messages with this person; None if unknown."""
        return await self._scalar(
            select(direct_channel.c.channel_id).where(direct_channel.c.person_id == person_id)
        )


class PersonRepository(PersonQueries):
    """Stores people. A person must be stored before a table refers to them."""

    async def keep(self, person_id: PersonId, name: str, now: int, called: Nickname | None = None) -> None:
        """Store a person with their current general name; change nothing if that name is stored already.

        `called` is what the server is known to call them in which they are now. What other servers call them stays.
        """
        fresh = {"name": name, "updated_at": now}
        new = fresh | {"dms_open": True, "settings": PersonSettings(), "revision": now}
        changed = fresh | {"revision": person.c.revision + 1}
        is_known = person.c.name == name
        await self._execute(upsert(person, {"id": person_id}, new, on_conflict=changed, unless=is_known))
        if called is not None:
            await self._call(person_id, called, now)
        self._changes.people.add(person_id)

    async def _call(self, person_id: PersonId, called: Nickname, now: int) -> None:
        key = {"person_id": person_id, "guild_id": called.guild_id}
        if called.name is None:
            there = (nickname.c[name] == value for name, value in key.items())
            await self._execute(delete(nickname).where(*there))
        else:
            is_known = nickname.c.name == called.name
            await self._execute(upsert(nickname, key, {"name": called.name, "since": now}, unless=is_known))

    async def set_dms(self, person_id: PersonId, open_: bool) -> None:  # noqa: FBT001 (reads well at the call)
        """Store whether this person accepts direct messages."""
        await self._change(person_id, dms_open=open_)

    async def set_settings(self, person_id: PersonId, settings: PersonSettings) -> None:
        """Store the settings of this person, who must already be stored."""
        await self._change(person_id, settings=settings)

    async def set_direct_channel(self, person_id: PersonId, channel_id: ChannelId | None) -> None:
        """Store the direct-message channel of this person, None for none, unless they were forgotten."""
        if channel_id is None:
            await self._execute(delete(direct_channel).where(direct_channel.c.person_id == person_id))
        elif await self._scalar(select(person.c.id).where(person.c.id == person_id)) is not None:
            values = {"channel_id": channel_id}
            await self._execute(upsert(direct_channel, {"person_id": person_id}, values))

    async def _change(self, person_id: PersonId, **values: object) -> None:
        changed = values | {"revision": person.c.revision + 1}
        await self._execute(update(person).where(person.c.id == person_id).values(changed))
        self._changes.people.add(person_id)


class StaffLogQueries(Session):
    """Reads the log."""

    async def latest(self, guild_id: GuildId, limit: int) -> list[StaffActRow]:
        """Return the latest actions in a server, newest first."""
        return await self._all(
            StaffActRow,
            select(staff_act)
            .where(staff_act.c.guild_id == guild_id)
            .order_by(staff_act.c.id.desc())
            .limit(limit),
        )


class StaffLogRepository(StaffLogQueries):
    """Adds to the log."""

    async def add(
        self,
        guild_id: GuildId,
        table_id: TableId | None,
        person_id: PersonId,
        act: str,
        reason: str,
        now: int,
        target_id: PersonId | None = None,
    ) -> None:
        """Log an action in a server by a person, who must already be stored; a target who is not is left out."""
        target = select(person.c.id).where(person.c.id == target_id).scalar_subquery()
        await self._execute(
            insert(staff_act).values(
                guild_id=guild_id,
                table_id=table_id,
                person_id=person_id,
                act=act,
                reason=reason,
                at=now,
                target_id=target,
            )
        )


class GuildQueries(Session):
    """Looks servers up."""

    async def get_many(self, ids: Iterable[int]) -> dict[int, GuildRow]:
        """Return the servers among these ids that the bot has met, by id."""
        found = await self._all(GuildRow, select(guild).where(guild.c.id.in_(list(ids))))
        return {row.id: row for row in found}

    async def settings(self, guild_id: GuildId) -> GuildSettings:
        """Return the settings of this server; the defaults if it has set nothing."""
        settings = await self._scalar(select(guild.c.settings).where(guild.c.id == guild_id))
        return settings or GuildSettings()


class GuildRepository(GuildQueries):
    """Stores servers. A server must be stored before a table refers to it."""

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
