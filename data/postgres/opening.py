"""Prepare a server before the store uses it: check it, then create or migrate the tables.

A new database gets the newest tables at once. An older one is migrated like a file: all pending migrations
run in one transaction, and a lock keeps two processes from migrating at the same time.
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from getpass import getuser
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import URL, Connection, exc, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from data.errors import StoreBusyError, StoreForeign, StoreLockedError, StoreUnreachable, StoreUnsuitable
from data.migrating import MIGRATIONS, Versions, create, migrate, versions
from data.postgres import engines
from data.postgres.engines import FULL, code_of, is_lost, named_faults
from data.postgres.leases import prepare_counting
from data.postgres.lines import prepare_passing
from data.schema import TABLES

OLDEST: Final = 14
"""The oldest version of PostgreSQL that is still supported by its developers."""
_ALONE: Final = text("SELECT pg_advisory_xact_lock(1953067105)")
"""Keeps others from creating or migrating the tables meanwhile."""
_NOBODY_SERVES: Final = text("SELECT pg_try_advisory_xact_lock(1953065324)")
"""The lock held by every process that serves the database, alone or with others (`claim.py`)."""
_FACTS: Final = text(
    "SELECT current_setting('server_version_num')::int / 10000 AS version,"
    " pg_encoding_to_char(encoding) AS encoding,"
    " pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,"
    " current_setting('synchronous_commit') AS synchronous_commit,"
    " current_schema() AS schema,"
    " coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,"
    " current_user::text AS role, current_database()::text AS name, pg_backend_pid() AS backend"
    " FROM pg_database WHERE datname = current_database()"
)
_BACKEND: Final = text("SELECT pg_backend_pid()")
_NOT_ENCRYPTED: Final = "rejected SSL upgrade"
"""The driver's message if encryption is required and the server has none."""
_LOOKS: Final = 3
"""How often two connections are compared, since another client of a pooler may come between them."""

State = Literal["missing", "current", "older"]


async def prepare(url: URL, migrations: Path = MIGRATIONS) -> None:
    """Prepare the database: its tables with the newest schema, on a server that stores data safely.

    Raises StoreUnsuitable, StoreForeign, StoreTooNewError or StoreTooOldError, or StoreLockedError if the
    tables are older and other processes serve them; nothing is changed then. Raises StoreUnavailableError if
    no server answers.
    """
    async with _fit(url) as connection:
        await connection.execute(_ALONE)
        await connection.run_sync(_bring_up, migrations)
        await connection.commit()


async def look(url: URL, migrations: Path = MIGRATIONS) -> State:
    """Return the state of a database without changing it; raises as `prepare` does."""
    async with _fit(url) as connection:
        return await connection.run_sync(_state, versions(migrations))


@asynccontextmanager
async def _fit(url: URL) -> AsyncGenerator[AsyncConnection, None]:
    """Yield a connection to a suitable server; errors in the block get an explanation."""
    engine = engines.opener(url)
    try:
        with named_faults():
            await _refuse_shared_connections(url)
            async with engine.connect() as connection:
                await _check(connection)
                yield connection
    except Exception as error:
        raise _explained(error, url) from error
    finally:
        await engine.dispose()


def _bring_up(connection: Connection, migrations: Path) -> None:
    state = _state(connection, versions(migrations))
    if state == "missing":
        create(connection, migrations)
    elif state == "older":
        if not connection.scalar(_NOBODY_SERVES):
            raise StoreLockedError(
                "processes of an older version serve it, and its tables have to be changed"
            )
        migrate(connection, migrations)
    prepare_counting(connection)
    prepare_passing(connection)


def _state(connection: Connection, known: Versions) -> State:
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        if strangers := tables & set(TABLES.tables):
            raise StoreForeign(f"it has tables of another program, such as {min(strangers)}")
        return "missing"
    revision = connection.scalar(text("SELECT max(version_num) FROM alembic_version"))
    known.check(revision)
    return "current" if revision == known.newest else "older"


async def _refuse_shared_connections(url: URL) -> None:
    """Raise StoreUnsuitable if a pooler lends one server process to two open connections in turn."""
    engine = engines.opener(url)
    try:
        async with engine.connect() as one, engine.connect() as other:
            for _ in range(_LOOKS):
                backends = [await one.scalar(_BACKEND), await other.scalar(_BACKEND)]
                await one.rollback()
                await other.rollback()
                if backends[0] == backends[1]:
                    raise StoreUnsuitable(_POOLED)
    finally:
        await engine.dispose()


_POOLED: Final = (
    "Between Tiplu and PostgreSQL there is a pooler that lends connections for one transaction at a time, such as "
    "pgbouncer with pool_mode = transaction. Let DATABASE_URL name PostgreSQL itself, or a pooler with pool_mode = session"
)


async def _check(connection: AsyncConnection) -> None:
    facts = (await connection.execute(_FACTS)).one()
    if facts.version < OLDEST:
        raise StoreUnsuitable(
            f"The server is PostgreSQL {facts.version}, and Tiplu needs {OLDEST} or newer. Update the server"
        )
    if facts.encoding != "UTF8":
        raise StoreUnsuitable(
            f"The database {facts.name} keeps its texts as {facts.encoding}, which does not have every name. Make another: "
            f"createdb --encoding=UTF8 --template=template0 --owner={facts.role} NAME"
        )
    if facts.is_read_only:
        raise StoreUnsuitable(
            "The server takes no changes: it is a standby, or set to read only. Let DATABASE_URL name the primary server"
        )
    if facts.synchronous_commit == "off":
        raise StoreUnsuitable(
            "The server acknowledges commits before they are durable (synchronous_commit = off), so moves could be lost. "
            f"Set it to on: ALTER ROLE {facts.role} SET synchronous_commit = on"
        )
    if not facts.may_create:
        raise StoreUnsuitable(
            f"The user {facts.role} may not make tables in the database {facts.name}. Let its owner say: "
            f"GRANT USAGE, CREATE ON SCHEMA {facts.schema or 'public'} TO {facts.role}"
        )


def _explained(error: Exception, url: URL) -> Exception:
    """Return the error, or a replacement that says what to do."""
    code = code_of(error) or ""
    at = f"{url.host}:{url.port or 5432}" if url.host else "the local socket"
    user = url.username or os.environ.get("PGUSER") or getuser()  # as the driver does
    if code.startswith("28"):
        return StoreUnsuitable(
            f"The server at {at} refuses the user {user}: {error}. Put the right user and password into "
            "DATABASE_URL, and let pg_hba.conf admit them"
        )
    if code == "3D000":
        return StoreUnsuitable(
            f"The server at {at} has no database {url.database}. Make it: "
            f"createdb --encoding=UTF8 --template=template0 --owner={user} {url.database}"
        )
    if code == "55000":
        return StoreUnsuitable(
            f"The server at {at} lets nobody use the database {url.database}: {error}. Let DATABASE_URL name another, or "
            f"allow it again: ALTER DATABASE {url.database} ALLOW_CONNECTIONS true"
        )
    if code == "42501":
        return StoreUnsuitable(
            f"The user {user} may not do what Tiplu needs in the database {url.database}: {error}. "
            f"Let them own its tables: REASSIGN OWNED, or GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}"
        )
    if code == FULL:
        return StoreBusyError(
            f"The server at {at} admits no more connections: {error}. A process of Tiplu takes up to eleven. Raise "
            "max_connections, or the limit of the user or the database"
        )
    if code in {"26000", "42P05", "08P01"}:
        return StoreUnsuitable(_POOLED)
    if _NOT_ENCRYPTED in str(error):
        return StoreUnsuitable(
            f"The server at {at} offers no encrypted connection, and DATABASE_URL asks for one (sslmode). Set ssl = on in "
            "postgresql.conf, or sslmode=disable on a network that is yours alone"
        )
    if isinstance(error, StoreUnreachable) or is_lost(error):
        return StoreUnreachable(f"no PostgreSQL server answers at {at}: {error}")
    if isinstance(error, exc.InterfaceError):  # such as a missing certificate
        return StoreUnsuitable(f"The driver can't connect as it is told to: {error.orig}")
    return error
