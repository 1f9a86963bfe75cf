"""People and servers, from memory where they are known: every press asks for them, and they hardly ever change.

A process that shares the database with others is told whose rows they change.
"""

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, Protocol, TypeVar

from data.committed_cache import CommittedCache
from data.preferences import GuildSettings, PersonSettings
from data.rows.people import GuildRow, PersonRow
from data.transaction import ReadTransaction
from league.ids import GuildId, PersonId

T = TypeVar("T")
MOST_PEOPLE: Final = 5_000
MOST_GUILDS: Final = 2_000
"""A person takes some 2 KB of memory, a server with rules of its own some 4 KB."""


class Reader(Protocol):
    """Reads the file."""

    async def read(self, work: Callable[[ReadTransaction], Coroutine[Any, Any, T]]) -> T:
        """What a function of a snapshot returns."""
        ...


class Directory:
    """Everybody and every server as last committed. It sees nothing of a transaction that is still open.

    Ask it outside of transactions: it may need a reader of its own, and there are only a few. All its methods raise
    StoreUnavailableError or StoreDamagedError where a row has to be read and can't be.
    """

    def __init__(self, file: Reader) -> None:
        self._file = file
        self.people_kept = CommittedCache[PersonRow](MOST_PEOPLE)
        self.guilds_kept = CommittedCache[GuildRow](MOST_GUILDS)

    async def person(self, person_id: PersonId) -> PersonRow | None:
        """The person of that id; None for one whom the bot has not met."""
        return (await self.people([person_id])).get(person_id)

    async def people(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """Those of the ids whom the bot has met."""
        return await self.people_kept.get_many(ids, self._load_people)

    async def person_settings(self, person_id: PersonId) -> PersonSettings:
        """The settings of this person, or the defaults."""
        person = await self.person(person_id)
        return PersonSettings() if person is None else person.settings

    async def guild_settings(self, guild_id: GuildId | None) -> GuildSettings:
        """How this server likes its tables; the defaults for one that never said, and outside of servers."""
        if guild_id is None:
            return GuildSettings()
        guild = (await self.guilds_kept.get_many([guild_id], self._load_guilds)).get(guild_id)
        return GuildSettings() if guild is None else guild.settings

    def clear(self) -> None:
        """Keep nobody in mind."""
        self.people_kept.clear()
        self.guilds_kept.clear()

    async def _load_people(self, ids: set[int]) -> dict[int, PersonRow]:
        return await self._file.read(lambda db: db.people.get_many(ids))

    async def _load_guilds(self, ids: set[int]) -> dict[int, GuildRow]:
        return await self._file.read(lambda db: db.guilds.get_many(ids))
