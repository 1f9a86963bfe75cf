"""How connections to the server are made, and what its errors mean to the bot: try again now, try again later, or stop taking moves."""

import socket
from asyncio import CancelledError
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Final

from asyncpg import InterfaceError, InternalClientError  # pyright: ignore[reportMissingTypeStubs] - it ships none
from sqlalchemy import URL, AdaptedConnection, ExceptionContext, NullPool, event, exc
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from data.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreForbidden,
    StoreFull,
    StoreUnavailableError,
    StoreUnreachable,
)

CONNECT_S: Final = 10.0
"""How long one attempt to connect may take."""
PATIENCE_S: Final = 30.0
"""How long a transaction waits for a connection, for another writer, or for a server that is not there."""
STATEMENT_S: Final = PATIENCE_S + 10.0
"""How long the bot waits for a statement. That is longer than the server waits for a lock."""
STANDSTILL_S: Final = 15
"""The server closes the connection of a process that hangs, and frees its locks, after so long."""
_NETWORK: Final = {
    "TCP_KEEPIDLE": 5,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 2,
    "TCP_USER_TIMEOUT": 15_000,
}
"""How the operating system notices within 15 s that the server's machine is out of reach. Options in seconds, the last in ms.

Without them a statement would wait for a quarter of an hour. Systems other than Linux lack some of them.
"""
_PREPARED: Final = 500
"""The number of prepared statements cached by a connection: more than the store has."""
_SETTINGS: Final = {
    "lock_timeout": f"{PATIENCE_S:.0f}s",
    # A long read, with work between its statements, blocks no one.
    "idle_in_transaction_session_timeout": "60s",
}
_WRITING: Final = _SETTINGS | {"idle_in_transaction_session_timeout": f"{STANDSTILL_S}s"}


def writers(url: URL, connections: int) -> AsyncEngine:
    """Return the engine of connections that write."""
    return _engine(url, _WRITING, STATEMENT_S, **_pool(connections))


def readers(url: URL, connections: int) -> AsyncEngine:
    """Return the engine of connections that read in snapshots."""
    return _engine(url, _SETTINGS, STATEMENT_S, **_pool(connections), **_SNAPSHOTS)


def reader(url: URL) -> AsyncEngine:
    """Return the engine of a process that runs one query and ends."""
    return _engine(url, poolclass=NullPool, **_SNAPSHOTS)


def opener(url: URL) -> AsyncEngine:
    """Return the engine used before the store is open: every use opens its own connection."""
    return _engine(url, poolclass=NullPool)


def claimant(url: URL) -> AsyncEngine:
    """Return the engine of the connection that holds the claim."""
    return _engine(url, _SETTINGS, STATEMENT_S, poolclass=NullPool)


def _pool(connections: int) -> dict[str, Any]:
    return {"pool_size": connections, "max_overflow": 0, "pool_timeout": PATIENCE_S}


_SNAPSHOTS: Final[dict[str, Any]] = {
    "isolation_level": "REPEATABLE READ",
    "execution_options": {"postgresql_readonly": True},
}


def _engine(
    url: URL, settings: dict[str, str] = _SETTINGS, statement_s: float | None = None, **how: Any
) -> AsyncEngine:
    arguments = {
        "timeout": CONNECT_S,
        "command_timeout": statement_s,
        "server_settings": {"application_name": "tiplu"},
        "prepared_statement_cache_size": _PREPARED,
    }
    engine = create_async_engine(url, hide_parameters=True, connect_args=arguments, **how)
    event.listen(engine.sync_engine, "handle_error", _hide_rows)
    event.listen(engine.sync_engine, "handle_error", _discard_lost)
    statement = "; ".join(f"SET {name} = '{value}'" for name, value in settings.items())

    def set_up(connection: AdaptedConnection, _record: object) -> None:
        _watch_network(connection.driver_connection)
        # Not as connection parameters: poolers such as pgbouncer refuse those that they do not know.
        connection.run_async(lambda driver: driver.execute(statement))

    event.listen(engine.sync_engine, "connect", set_up)
    return engine


def _watch_network(driver: Any) -> None:
    """Let the operating system close this connection if the server's machine falls silent."""
    # The driver has no setting for it and no other way to the socket.
    used: socket.socket = driver._transport.get_extra_info("socket")  # noqa: SLF001
    if used.family not in (socket.AF_INET, socket.AF_INET6):
        return
    used.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _NETWORK.items():
        if (option := getattr(socket, name, None)) is not None:
            used.setsockopt(socket.IPPROTO_TCP, option, value)


def _hide_rows(context: ExceptionContext) -> None:
    """Hide the rows that the server's errors quote, because they may contain cards."""
    error = context.original_exception
    for told in (error, error.__cause__):
        if getattr(told, "detail", None) is not None:
            setattr(told, "detail", None)  # noqa: B010 - only errors of the server have it


def _discard_lost(context: ExceptionContext) -> None:
    """Discard a connection whose statement has taken too long.

    SQLAlchemy discards those that are closed. This one is still open, and undoing its transaction would wait as long.
    """
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = True
        context.invalidate_pool_on_disconnect = False


_LOST = ("08", "57P01", "57P02", "57P03", "57P05", "25P03", "25P04")
"""The first characters of error codes that mean a lost connection, or a server starting or stopping."""
FULL: Final = "53300"
"""The server admits no more connections for now. It says so before it takes any statement."""
_CROSSED = ("40001", "40P01")
"""Two transactions conflicted; one was undone and can be run again."""
_FAULTS: tuple[tuple[str, type[StoreError]], ...] = (
    *((code, StoreUnreachable) for code in _LOST),
    *((code, StoreUnavailableError) for code in _CROSSED),
    ("53100", StoreFull),
    ("53", StoreBusyError),
    ("55P03", StoreBusyError),
    ("57014", StoreBusyError),
    ("55000", StoreUnavailableError),
    ("25006", StoreForbidden),
    ("42501", StoreForbidden),
    ("28", StoreForbidden),
    ("58", StoreDamagedError),
    ("XX", StoreDamagedError),
)
"""The meaning of each code prefix; the first match counts.

The codes are listed in appendix A of PostgreSQL's manual.
"""


@contextmanager
def named_faults() -> Generator[None, None, None]:
    """Raise StoreUnavailableError or StoreDamagedError if the server is at fault; let other errors pass."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreBusyError("too many are waiting for the database") from error
    except StoreError:
        raise
    except Exception as error:
        if (fault := fault_of(error)) is None:
            raise
        raise fault from error


def fault_of(error: BaseException) -> StoreError | None:
    """Return the meaning of an error of the server or the connection; None for one of the program itself."""
    code = code_of(error)
    if code is None:
        return StoreUnreachable(_said(error)) if is_lost(error) else None
    for prefix, fault in _FAULTS:
        if code.startswith(prefix):
            return fault(_said(error))
    return None


def is_lost(error: BaseException) -> bool:
    """Return whether the connection was lost or refused: the transaction was undone unless it was being committed."""
    code = code_of(error)
    if code is not None and code.startswith((*_LOST, FULL)):
        return True
    return any(
        # The driver raises InternalClientError if the server has ended the session but not yet closed the connection.
        isinstance(cause, OSError | InternalClientError)
        or getattr(cause, "connection_invalidated", False)
        # While a new connection is set up, SQLAlchemy does not wrap the driver's errors.
        or (isinstance(cause, InterfaceError) and "connection is closed" in str(cause))
        for cause in _causes(error)
    )


def may_be_repeated(error: BaseException) -> bool:
    """Return whether the transaction was undone through no fault of its own and can be run again unchanged."""
    return is_lost(error) or code_of(error) in _CROSSED


def code_of(error: BaseException) -> str | None:
    """Return the SQLSTATE of an error that the server sent, or None."""
    for cause in _causes(error):
        code = getattr(cause, "sqlstate", None)
        if isinstance(code, str):
            return code
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes: SQLAlchemy wraps the driver's error."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = getattr(found, "orig", None) or found.__cause__


def _said(error: BaseException) -> str:
    """Return the server's own text, not SQLAlchemy's, which contains the statement."""
    *_, cause = (cause for cause in _causes(error) if not isinstance(cause, CancelledError))
    return str(cause).partition("\n")[0] or type(cause).__name__
