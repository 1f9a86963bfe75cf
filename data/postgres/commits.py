"""What became of a commit whose connection was lost: every connection has a row, in which each of its transactions is counted.

The count is part of the transaction: it is there exactly if all else is, whatever has befallen the server since. Numbers that
the server itself gives are no such proof, since one that crashed gives those of lost transactions once more.
"""

from itertools import count
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from sqlalchemy import Connection, text

from data.session import Call

CHANNEL: Final = "tiplu"
"""What processes tell each other goes here."""
# A transaction that asks is alone, as in SQLite. One that asks nothing cannot be misled by what others write, and the rows that it
# changes are guarded by their versions, so such may run beside each other. The number is "tipl".
_TELL: Final = text("SELECT pg_notify(CAST(:channel AS text), CAST(:news AS text))")
_BEGIN: Final = {
    (True, False): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock(1953067116)"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
    (True, True): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock(1953067116), pg_notify(CAST(:channel AS text), CAST(:news AS text))"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
    (False, False): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock_shared(1953067116)"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
    (False, True): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock_shared(1953067116), pg_notify(CAST(:channel AS text), CAST(:news AS text))"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
}
"""The first statement of a transaction, by whether it is to be alone and whether others are told of it."""
_NUMBER: Final = text(
    "INSERT INTO last_commit (connection, number, at) VALUES (CAST(:connection AS uuid), 0, now())"
    " ON CONFLICT (connection) DO UPDATE SET at = excluded.at RETURNING number"
)
# Pages with room for the next count of each row: an update there touches no index.
_MADE: Final = text(
    "CREATE TABLE IF NOT EXISTS last_commit"
    " (connection uuid PRIMARY KEY, number bigint NOT NULL, at timestamptz NOT NULL) WITH (fillfactor = 50)"
)
_FORGOTTEN: Final = text("DELETE FROM last_commit WHERE at < now() - interval '1 day'")
_NUMBERS: Final = count(1)


class Counted(NamedTuple):
    """A transaction, by the connection that it had and its number there."""

    connection: UUID
    number: int


def prepare_counting(connection: Connection) -> None:
    """Make the table, if there is none, and forget connections of former days."""
    connection.execute(_MADE)
    connection.execute(_FORGOTTEN)


def begin(connection: Connection, *, alone: bool, news: str | None = None) -> Counted:
    """Begin a transaction that writes: once nobody else does if it is to be alone, else once nobody is who has to be.

    Where it is known already what others will hear of it, that goes the same way.
    """
    counted = Counted(connection.info.setdefault("counted_as", uuid4()), next(_NUMBERS))
    told = {} if news is None else {"channel": CHANNEL, "news": news}
    connection.execute(_BEGIN[alone, news is not None], counted._asdict() | told)
    return counted


def telling(news: str) -> Call:
    """Let others hear this when the transaction is committed."""
    return Call(_TELL, {"channel": CHANNEL, "news": news})


def was_committed(connection: Connection, counted: Counted) -> bool:
    """Whether that transaction was committed, which must have lost its connection. To be asked in a transaction that is undone.

    Writing the row waits until the server has noticed the loss: until then the lost transaction holds it.
    """
    return connection.execute(_NUMBER, {"connection": counted.connection}).scalar_one() == counted.number
