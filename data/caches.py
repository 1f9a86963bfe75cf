"""What is kept in memory as it was committed last, by id, so that asking for it again costs no statement: people and servers, and more.

The file stays the truth. While a change is being committed, others may see it in the file before its writer knows of
the commit. So for that time a value is known only from the file. What was read before the change has ended may be
older than it, and is not kept.

A change begins in the thread that commits it, so all of it is guarded by a lock. A process that shares the database with
others is told whose rows they change.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from data.preferences import GuildSettings, PersonSettings
from data.repositories.people import GuildRow, PersonRow
from data.transaction import ReadTransaction
from league.ids import GuildId, PersonId

Value = TypeVar("Value")


class _ValueChanges:
    """What happens to one value. It lives as long as somebody reads or changes the value."""

    under_way = 0
    """How many changes are being committed just now."""
    ended = 0
    """How many have been committed, or may have been."""


class CacheClaim(Generic[Value]):
    """Somebody who reads or changes some values, and may keep what they find unless it has changed meanwhile."""

    def __init__(
        self, keep: Callable[[int, Value | None], None], changes: Mapping[int, _ValueChanges], lock: Lock
    ) -> None:
        self._keep = keep
        self._lock = lock
        self._changes = changes
        self._before = {value_id: change.ended for value_id, change in changes.items()}

    def keep(self, value_id: int, value: Value | None, *, own_changes: int = 0) -> None:
        """Keep this value, unless somebody else has changed it since the claim, or is changing it now.

        A change of the claim's own must have ended before, and is counted in `own_changes`.
        """
        changes = self._changes[value_id]
        with self._lock:
            if not changes.under_way and changes.ended == self._before[value_id] + own_changes:
                self._keep(value_id, value)


class CommittedCache(Generic[Value]):
    """The values that were used last, and the ids that have none; what was used longest ago goes first."""

    def __init__(
        self, most: int, *, most_weight: int = 0, weigh: Callable[[Value], int] = lambda _: 0
    ) -> None:
        """At most `most` values are kept, and no more than weigh `most_weight` together unless it is a single one."""
        self._most = most
        self._most_weight = most_weight
        self._weigh = weigh
        self._weight = 0
        self._is_closed = False
        self._lock = Lock()
        self._values: OrderedDict[int, Value | None] = OrderedDict()
        self._changes: WeakValueDictionary[int, _ValueChanges] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, value_id: int) -> Value | None:
        """The value as committed last, if it is in memory and there is any."""
        with self._lock:
            value = self._values.get(value_id)
            if value is not None:
                self._values.move_to_end(value_id)
            return value

    async def get_many(
        self, ids: Iterable[int], load: Callable[[set[int]], Awaitable[Mapping[int, Value]]]
    ) -> dict[int, Value]:
        """The values of those of the ids that have one.

        `load` reads those that are not in memory from the file, in a snapshot taken after the call. Raises what it does.
        """
        wanted = set(ids)
        with self._lock:
            values = {value_id: self._values[value_id] for value_id in wanted if value_id in self._values}
            for value_id in values:
                self._values.move_to_end(value_id)
        if missing := wanted - values.keys():
            claim = self.claim(missing)
            loaded = await load(missing)
            for value_id in missing:
                claim.keep(value_id, loaded.get(value_id))
            values |= loaded
        return {value_id: value for value_id, value in values.items() if value is not None}

    def claim(self, ids: Iterable[int]) -> CacheClaim[Value]:
        """To be asked for before these values are read, by somebody who would like to keep what they find."""
        with self._lock:
            return CacheClaim(self._keep, self._changes_of(ids), self._lock)

    @contextmanager
    def changing(self, ids: Iterable[int]) -> Generator[None, None, None]:
        """The block commits a change of these values. Until its end, however it ends, they are known only from the file."""
        with self._lock:
            changes = self._changes_of(ids)
            for value_id, change in changes.items():
                self._remove(value_id)
                change.under_way += 1
        try:
            yield
        finally:
            with self._lock:
                for change in changes.values():
                    change.under_way -= 1
                    change.ended += 1

    def drop(self, ids: Iterable[int]) -> None:
        """These values may have changed: they are read anew at the next look, and nothing that was read before is kept."""
        with self.changing(ids):
            pass

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            known = {*self._values, *self._changes}
        self.drop(known)

    def keep_nothing(self) -> None:
        """Drop all values, and keep none until told otherwise: nobody tells what is changed now."""
        self._is_closed = True
        self.clear()

    def keep_again(self) -> None:
        """Keep values again that are read from now on."""
        self._is_closed = False
        self.clear()

    def _changes_of(self, ids: Iterable[int]) -> dict[int, _ValueChanges]:
        return {value_id: self._changes.setdefault(value_id, _ValueChanges()) for value_id in ids}

    def _keep(self, value_id: int, value: Value | None) -> None:
        self._remove(value_id)
        if self._is_closed:
            return
        self._values[value_id] = value
        self._weight += self._weight_of(value)
        while len(self) > self._most or (self._weight > self._most_weight and len(self) > 1):
            self._remove(next(iter(self._values)))

    def _remove(self, value_id: int) -> None:
        self._weight -= self._weight_of(self._values.pop(value_id, None))

    def _weight_of(self, value: Value | None) -> int:
        return 0 if value is None else self._weigh(value)


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
