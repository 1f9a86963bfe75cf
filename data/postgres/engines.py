"""How connections to the server are made."""

from typing import Any, Final

from sqlalchemy import URL, AdaptedConnection, ExceptionContext, NullPool, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

CONNECT_S: Final = 10.0
"""How long one attempt to connect may take."""
PATIENCE_S: Final = 30.0
"""How long a transaction waits for a connection, for another writer, or for a server that is not there."""
STANDSTILL_S: Final = 15
"""After so long the server gives up the connection of a process that stands still, and what is locked by it."""
_PREPARED: Final = 500
"""How many prepared statements a connection keeps: more than the store has."""
_SETTINGS: Final = {
    "lock_timeout": f"{PATIENCE_S:.0f}s",
    # A long look at much, with work between its statements, holds up nobody.
    "idle_in_transaction_session_timeout": "60s",
}
_WRITING: Final = _SETTINGS | {"idle_in_transaction_session_timeout": f"{STANDSTILL_S}s"}


def writers(url: URL, connections: int) -> AsyncEngine:
    """The engine of connections that write."""
    return _engine(url, _WRITING, pool_size=connections, max_overflow=0, pool_timeout=PATIENCE_S)


def readers(url: URL, connections: int) -> AsyncEngine:
    """The engine of connections that read in snapshots."""
    return _engine(url, pool_size=connections, max_overflow=0, pool_timeout=PATIENCE_S, **_SNAPSHOTS)


def reader(url: URL) -> AsyncEngine:
    """The engine of a process that asks one question and ends."""
    return _engine(url, poolclass=NullPool, **_SNAPSHOTS)


def opener(url: URL) -> AsyncEngine:
    """The engine for the time before the store is open: every use has a connection of its own."""
    return _engine(url, poolclass=NullPool)


_SNAPSHOTS: Final[dict[str, Any]] = {
    "isolation_level": "REPEATABLE READ",
    "execution_options": {"postgresql_readonly": True},
}


def _engine(url: URL, settings: dict[str, str] = _SETTINGS, **how: Any) -> AsyncEngine:
    arguments = {
        "timeout": CONNECT_S,
        "server_settings": {"application_name": "tiplu"},
        "prepared_statement_cache_size": _PREPARED,
    }
    engine = create_async_engine(url, hide_parameters=True, connect_args=arguments, **how)
    event.listen(engine.sync_engine, "handle_error", _hide_rows)
    statement = "; ".join(f"SET {name} = '{value}'" for name, value in settings.items())

    def set_up(connection: AdaptedConnection, _record: object) -> None:
        # Not as parameters of the connection: poolers such as pgbouncer refuse those that they do not know.
        connection.run_async(lambda driver: driver.execute(statement))

    event.listen(engine.sync_engine, "connect", set_up)
    return engine


def _hide_rows(context: ExceptionContext) -> None:
    """The server's errors quote the row that it refuses, in which there may be cards."""
    error = context.original_exception
    for told in (error, error.__cause__):
        if getattr(told, "detail", None) is not None:
            setattr(told, "detail", None)  # noqa: B010 - only errors of the server have it
