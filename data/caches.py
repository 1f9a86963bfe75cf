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
    """The changes of one value. It lives as long as something reads or changes the value."""

    under_way = 0
    """The number of changes that are being committed now."""
    ended = 0
    """The number of changes that were, or may have been, committed."""


class CacheClaim(Generic[Value]):
    """A claim by a reader or writer, who may cache the values it finds unless they have changed since."""

    def __init__(
        self, keep: Callable[[int, Value | None], None], changes: Mapping[int, _ValueChanges], lock: Lock
    ) -> None:
        self._keep = keep
        self._lock = lock
        self._changes = changes
        self._before = {value_id: change.ended for value_id, change in changes.items()}

    def keep(self, value_id: int, value: Value | None, *, own_changes: int = 0) -> None:
        """Keep this value, unless another claim has changed it since, or is changing it now.

        The claim's own changes must have ended already; `own_changes` counts them.
        """
        changes = self._changes[value_id]
        with self._lock:
            if not changes.under_way and changes.ended == self._before[value_id] + own_changes:
                self._keep(value_id, value)


class CommittedCache(Generic[Value]):
    """The most recently used values, and ids known to have none. The least recently used goes first."""

    def __init__(
        self,
        most: int,
        *,
        most_weight: int = 0,
        weigh: Callable[[Value], int] = lambda _: 0,
        is_wanted: Callable[[Value], bool] = lambda _: True,
    ) -> None:
        """Keep at most `most` values with a total weight of at most `most_weight`, if they are wanted.

        A single value is kept whatever its weight.
        """
        self._most = most
        self._most_weight = most_weight
        self._weigh = weigh
        self._is_wanted = is_wanted
        self._weight = 0
        self._is_closed = False
        self._lock = Lock()
        self._values: OrderedDict[int, Value | None] = OrderedDict()
        self._changes: WeakValueDictionary[int, _ValueChanges] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, value_id: int) -> Value | None:
        """Return the last committed value if it is in memory, else None."""
        with self._lock:
            value = self._values.get(value_id)
            if value is not None:
                self._values.move_to_end(value_id)
            return value

    async def get_many(
        self, ids: Iterable[int], load: Callable[[set[int]], Awaitable[Mapping[int, Value]]]
    ) -> dict[int, Value]:
        """Return the values of those ids that have one.

        `load` reads the missing ones from the file, in a snapshot taken after the call. Raises what `load`
        raises.
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
        """Claim these values before reading them, in order to keep what is read."""
        with self._lock:
            return CacheClaim(self._keep, self._changes_of(ids), self._lock)

    @contextmanager
    def changing(self, ids: Iterable[int]) -> Generator[None, None, None]:
        """Commit a change of these values in the block. Until it exits, they are read only from the file."""
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
        """Drop these values because they may have changed; values read earlier are not kept."""
        with self.changing(ids):
            pass

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            known = {*self._values, *self._changes}
        self.drop(known)

    def keep_nothing(self) -> None:
        """Drop all values and keep none until `keep_again`, because changes are not reported now."""
        self._is_closed = True
        self.clear()

    def keep_again(self) -> None:
        """Start keeping values again, as they are read."""
        self._is_closed = False
        self.clear()

    def _changes_of(self, ids: Iterable[int]) -> dict[int, _ValueChanges]:
        return {value_id: self._changes.setdefault(value_id, _ValueChanges()) for value_id in ids}

    def _keep(self, value_id: int, value: Value | None) -> None:
        self._remove(value_id)
        if self._is_closed or (value is not None and not self._is_wanted(value)):
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
"""A person takes about 2 KB of memory; a server with rules of its own about 4 KB."""


class Reader(Protocol):
    """Reads the file."""

    async def read(self, work: Callable[[ReadTransaction], Coroutine[Any, Any, T]]) -> T:
        """Run a function in a snapshot and return its result."""
        ...


class Directory:
    """All people and servers as last committed. It sees nothing of a transaction that is still open.

    Use it outside transactions: it may need a reader of its own, and there are only a few. All its methods
    raise StoreUnavailableError or StoreDamagedError if a row has to be read but can't be.
    """

    def __init__(self, file: Reader) -> None:
        self._file = file
        self.people_kept = CommittedCache[PersonRow](MOST_PEOPLE)
        self.guilds_kept = CommittedCache[GuildRow](MOST_GUILDS)

    async def person(self, person_id: PersonId) -> PersonRow | None:
        """Return the person of that id, or None if the bot has not met them."""
        return (await self.people([person_id])).get(person_id)

    async def people(self, ids: Iterable[int]) -> dict[int, PersonRow]:
        """Return the people of these ids whom the bot has met."""
        return await self.people_kept.get_many(ids, self._load_people)

    async def person_settings(self, person_id: PersonId) -> PersonSettings:
        """Return the settings of this person, or the defaults."""
        person = await self.person(person_id)
        return PersonSettings() if person is None else person.settings

    async def guild_settings(self, guild_id: GuildId | None) -> GuildSettings:
        """Return this server's settings; the defaults if it has set none, and outside servers."""
        if guild_id is None:
            return GuildSettings()
        guild = (await self.guilds_kept.get_many([guild_id], self._load_guilds)).get(guild_id)
        return GuildSettings() if guild is None else guild.settings

    def clear(self) -> None:
        """Drop everything that is cached."""
        self.people_kept.clear()
        self.guilds_kept.clear()

    async def _load_people(self, ids: set[int]) -> dict[int, PersonRow]:
        return await self._file.read(lambda db: db.people.get_many(ids))

    async def _load_guilds(self, ids: set[int]) -> dict[int, GuildRow]:
        return await self._file.read(lambda db: db.guilds.get_many(ids))
