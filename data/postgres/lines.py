"""What processes that share a database pass to each other: news of what they have committed, and presses."""

import json
import re
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, cast

from sqlalchemy import URL, Connection, CursorResult, TextClause, text

from data.postgres import engines
from data.postgres.engines import named_faults
from data.postgres.leases import CHANNEL
from data.session import Changes, Lease, News
from data.shards import PassedPress

_LONGEST: Final = 7_900
"""The longest payload: the server accepts messages of at most 8,000 bytes."""
_WORK: Final = frozenset({"outbox", "deadline", "season"})
"""The tables whose rows are work for some process."""


class Newsline:
    """The notices that this process sends to the others and receives from them."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(8)
        self._hear: Callable[[News], None] = _ignore
        self._listen: Callable[[], None] = _ignore
        self._is_heard = False

    @property
    def is_heard(self) -> bool:
        """Whether this process receives the notices of others now."""
        return self._is_heard

    def follow(self, hear: Callable[[News], None], listen: Callable[[], None]) -> None:
        """Call `hear` with the changes of other processes, and `listen` whenever reception starts or stops."""
        self._hear, self._listen = hear, listen

    def tell(self, lease: Lease, changes: Changes) -> None:
        """Notify the other processes of what a transaction has changed, if it concerns them."""
        is_work = not changes.is_own_work and not _WORK.isdisjoint(lease.touched)
        ids = [sorted(ids) for ids in (changes.people, changes.guilds, changes.tables)]
        if not (any(ids) or is_work or changes.is_of_everything):
            return
        said = json.dumps([self._name, is_work, None if changes.is_of_everything else ids])
        if len(said) > _LONGEST:
            said = json.dumps([self._name, is_work, None])
        lease.news = said

    async def connect(self, driver: Any) -> None:
        """Start listening on this asyncpg connection."""
        await driver.add_listener(CHANNEL, self._heard)
        self._become(is_heard=True)

    def lose(self) -> None:
        """Handle the loss of the connection."""
        self._become(is_heard=False)

    def _become(self, *, is_heard: bool) -> None:
        if is_heard != self._is_heard:
            self._is_heard = is_heard
            self._listen()

    def _heard(self, _connection: object, _process: int, _channel: str, said: object) -> None:
        """Handle a notification; other clients of the database may send anything here."""
        if (note := _read(str(said))) is not None and note[0] != self._name:
            self._hear(note[1])


def _read(said: str) -> tuple[str, News] | None:
    """Return the name of the sender and its news, or None if no process of the bot says such a thing."""
    try:
        note: Any = json.loads(said)
    except (ValueError, RecursionError):
        return None
    match note:
        case [str(name), bool(is_work), None]:
            return name, News(Changes(is_of_everything=True), is_work)
        case [str(name), bool(is_work), [people, guilds, tables]] if all(
            map(_are_ids, (people, guilds, tables))
        ):
            return name, News(Changes(set(people), set(guilds), set(tables)), is_work)
        case _:
            return None


def _are_ids(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(type(number) is int for number in cast("list[Any]", numbers))


def _ignore(*_: object) -> None:
    """Do nothing: the placeholder until `follow` is called."""


PRESS_CHANNEL: Final = "tiplu_presses"
_CONNECTIONS: Final = 2
"""One passes presses on and takes them back, the other takes them, so that neither waits for the other."""
_NOTE: Final = re.compile(r"([0-9]{1,5}) ([0-9]{1,18}|[1-8][0-9]{18})", re.ASCII)
_MADE: Final = text(
    "CREATE UNLOGGED TABLE IF NOT EXISTS passed_press (id bigint PRIMARY KEY, shard int NOT NULL, content text NOT NULL,"
    " at timestamptz NOT NULL DEFAULT clock_timestamp())"
)
_FORGOTTEN: Final = text("DELETE FROM passed_press WHERE at < now() - interval '1 minute'")
_PASS: Final = text(
    "WITH passed AS (INSERT INTO passed_press (id, shard, content) SELECT * FROM"
    " unnest(CAST(:ids AS bigint[]), CAST(:shards AS int[]), CAST(:contents AS text[])) ON CONFLICT DO NOTHING)"
    " SELECT pg_notify(CAST(:channel AS text), shard || ' ' || id)"
    " FROM unnest(CAST(:ids AS bigint[]), CAST(:shards AS int[])) AS told (id, shard)"
)
_TAKE: Final = text(
    "DELETE FROM passed_press WHERE id = ANY(CAST(:ids AS bigint[]))"
    " RETURNING id, shard, content, (extract(epoch FROM clock_timestamp() - at) * 1000)::int AS age_ms"
)
_TAKE_ALL: Final = text(
    "DELETE FROM passed_press WHERE shard = ANY(CAST(:shards AS int[]))"
    " RETURNING id, shard, content, (extract(epoch FROM clock_timestamp() - at) * 1000)::int AS age_ms"
)


def prepare_passing(connection: Connection) -> None:
    """Create the table if it is missing, and delete presses that no one has taken."""
    connection.execute(_MADE)
    connection.execute(_FORGOTTEN)


class PressLine:
    """Passes presses on and takes them.

    All methods raise StoreUnavailableError; what was done is then unknown.
    """

    def __init__(self, url: URL) -> None:
        self._engine = engines.writers(url, _CONNECTIONS).execution_options(isolation_level="AUTOCOMMIT")
        self._tell: Callable[[int, int], None] = _ignore

    def follow(self, tell: Callable[[int, int], None]) -> None:
        """Call `tell` with the shard and the id of every press that a process passes on."""
        self._tell = tell

    async def listen(self, driver: Any) -> None:
        """Start listening for presses on this asyncpg connection."""
        await driver.add_listener(PRESS_CHANNEL, self._heard)

    async def pass_on(self, presses: Sequence[PassedPress]) -> None:
        """Pass each of these presses on to the process that holds its shard."""
        values = {
            "ids": [press.id for press in presses],
            "shards": [press.shard for press in presses],
            "contents": [press.content for press in presses],
        }
        await self._execute(_PASS, values | {"channel": PRESS_CHANNEL})

    async def take(self, ids: Collection[int]) -> list[PassedPress]:
        """Return those of these presses that no one has taken yet, and take them."""
        return await self._taken(_TAKE, {"ids": list(ids)})

    async def take_all(self, shards: Collection[int]) -> list[PassedPress]:
        """Take all waiting presses of these shards and return them."""
        return await self._taken(_TAKE_ALL, {"shards": list(shards)})

    async def forget_old(self) -> None:
        """Remove presses that no one took because their sending and receiving processes have ended."""
        await self._execute(_FORGOTTEN, {})

    async def close(self) -> None:
        """Close its connections."""
        await self._engine.dispose()

    async def _taken(self, statement: TextClause, which: dict[str, Any]) -> list[PassedPress]:
        found = (await self._execute(statement, which)).all()
        return sorted(PassedPress(row.id, row.shard, row.content, row.age_ms) for row in found)

    async def _execute(self, statement: TextClause, values: dict[str, Any]) -> CursorResult[Any]:
        with named_faults():
            async with self._engine.connect() as connection:
                return await connection.execute(statement, values)

    def _heard(self, _connection: object, _process: int, _channel: str, said: object) -> None:
        """Handle a notification; other clients of the database may send anything here."""
        if (note := _NOTE.fullmatch(str(said))) is not None:
            self._tell(int(note[1]), int(note[2]))
