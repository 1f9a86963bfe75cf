"""Presses that one process passes on to another: a row for each, and a notification with its number.

Who deletes the row answers the press, so it is never answered twice. Anybody who can connect to the database can listen and
notify, so nothing of a press but its number goes that way. The table is not logged: a press is worth nothing after three seconds,
and so its commit need not wait for the disk.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from sqlalchemy import URL, Connection, CursorResult, TextClause, text

from data.postgres import engines
from data.postgres.faults import named_faults
from data.shards import PassedPress

CHANNEL: Final = "tiplu_presses"
_CONNECTIONS: Final = 2
"""One passes on and takes back, and the other one takes, so that neither waits for the other."""
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
    """Make the table, if there is none, and forget presses that nobody has taken."""
    connection.execute(_MADE)
    connection.execute(_FORGOTTEN)


class PressLine:
    """Passes presses on and takes them. All methods raise StoreUnavailableError, after which what was done is not known."""

    def __init__(self, url: URL) -> None:
        self._engine = engines.writers(url, _CONNECTIONS).execution_options(isolation_level="AUTOCOMMIT")
        self._tell: Callable[[int, int], None] = _ignore

    def follow(self, tell: Callable[[int, int], None]) -> None:
        """Call `tell` with the shard and the id of every press that a process passes on."""
        self._tell = tell

    async def listen(self, driver: Any) -> None:
        """Hear of presses on this connection of asyncpg's from now on."""
        await driver.add_listener(CHANNEL, self._heard)

    async def pass_on(self, presses: Sequence[PassedPress]) -> None:
        """Let the process that has its shard take each of these presses."""
        values = {
            "ids": [press.id for press in presses],
            "shards": [press.shard for press in presses],
            "contents": [press.content for press in presses],
        }
        await self._execute(_PASS, values | {"channel": CHANNEL})

    async def take(self, ids: Collection[int]) -> list[PassedPress]:
        """Those of these presses that nobody has taken yet; they are the caller's now."""
        return await self._taken(_TAKE, {"ids": list(ids)})

    async def take_all(self, shards: Collection[int]) -> list[PassedPress]:
        """The same for all presses of these shards."""
        return await self._taken(_TAKE_ALL, {"shards": list(shards)})

    async def forget_old(self) -> None:
        """Remove presses that nobody has taken, because the processes have ended that passed them on and were to take them."""
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
        """Other clients of the database may say anything here."""
        if (note := _NOTE.fullmatch(str(said))) is not None:
            self._tell(int(note[1]), int(note[2]))


def _ignore(*_: object) -> None:
    """Nobody follows yet."""
