"""People and servers, from memory where they are known: every press asks for them, and they hardly ever change.

A process that shares the database with others is told whose rows they change.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Final

from data.cluster.changes import Changes
from data.committed_cache import CommittedCache
from data.preferences import GuildSettings, PersonSettings
from data.rows.people import GuildRow, PersonRow
from data.transaction import ReadTransaction
from league.ids import GuildId, PersonId

MOST_PEOPLE: Final = 5_000
MOST_GUILDS: Final = 2_000
"""A person takes some 2 KB of memory, a server with rules of its own some 4 KB."""


class Directory:
    """Everybody and every server as last committed. It sees nothing of a transaction that is still open.

    Ask it outside of transactions: it may need a reader of its own, and there are only a few. All its methods raise
    StoreUnavailableError or StoreDamagedError where a row has to be read and can't be.
    """

    def __init__(self, read: Callable[[], AbstractAsyncContextManager[ReadTransaction]]) -> None:
        self._read = read
        self._people = CommittedCache[PersonRow](MOST_PEOPLE)
        self._guilds = CommittedCache[GuildRow](MOST_GUILDS)

    async def person(self, person_id: PersonId) -> PersonRow | None:
        """The person of that id; None for one whom the bot has not met."""
        return (await self.people([person_id])).get(person_id)

    async def people(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """Those of the ids whom the bot has met."""
        return await self._people.get_many(ids, self._load_people)

    async def person_settings(self, person_id: PersonId) -> PersonSettings:
        """The settings of this person, or the defaults."""
        person = await self.person(person_id)
        return PersonSettings() if person is None else person.settings

    async def guild_settings(self, guild_id: GuildId | None) -> GuildSettings:
        """How this server likes its tables; the defaults for one that never said, and outside of servers."""
        if guild_id is None:
            return GuildSettings()
        guild = (await self._guilds.get_many([guild_id], self._load_guilds)).get(guild_id)
        return GuildSettings() if guild is None else guild.settings

    @contextmanager
    def changing(self, changes: Changes) -> Generator[None, None, None]:
        """The block commits these changes: until its end, however it ends, the file is asked for what they concern."""
        with self._people.changing(changes.people), self._guilds.changing(changes.guilds):
            yield

    @property
    def caches(self) -> tuple[CommittedCache[PersonRow], CommittedCache[GuildRow]]:
        """What it keeps in mind."""
        return self._people, self._guilds

    def clear(self) -> None:
        """Keep nobody in mind."""
        for cache in self.caches:
            cache.clear()

    async def _load_people(self, ids: set[int]) -> dict[int, PersonRow]:
        async with self._read() as db:
            return await db.people.get_many(ids)

    async def _load_guilds(self, ids: set[int]) -> dict[int, GuildRow]:
        async with self._read() as db:
            return await db.guilds.get_many(ids)
