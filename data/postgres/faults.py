"""What errors of PostgreSQL mean to the bot: try again now, try again later, or stop taking moves."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from data.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreForbidden,
    StoreFull,
    StoreUnavailableError,
    StoreUnreachable,
)

_LOST = ("08", "57P01", "57P02", "57P03", "57P05", "25P03")
"""How the codes begin of errors after which the connection is gone, or the server is starting or stopping."""
_CROSSED = ("40001", "40P01")
"""Two transactions were in each other's way; one was undone and can be run again."""
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
"""How a code begins, and what it means; the first that fits. They are in appendix A of PostgreSQL's manual."""


@contextmanager
def named_faults() -> Generator[None, None, None]:
    """Raise StoreUnavailableError or StoreDamagedError where the server is at fault; leave other errors be."""
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
    """What an error of the server or the way to it means; None for one that the program itself has made."""
    code = code_of(error)
    if code is None:
        return StoreUnreachable(_said(error)) if is_lost(error) else None
    for prefix, fault in _FAULTS:
        if code.startswith(prefix):
            return fault(_said(error))
    return None


def is_lost(error: BaseException) -> bool:
    """Whether the connection is gone, so that the transaction was undone unless it was just being committed."""
    code = code_of(error)
    if code is not None and code.startswith(_LOST):
        return True
    return any(
        isinstance(cause, OSError) or getattr(cause, "connection_invalidated", False)
        for cause in _causes(error)
    )


def may_be_repeated(error: BaseException) -> bool:
    """Whether the transaction was undone for no fault of its own, so that it can be run again as it is."""
    return is_lost(error) or code_of(error) in _CROSSED


def code_of(error: BaseException) -> str | None:
    """The SQLSTATE of an error that the server has sent, or None."""
    for cause in _causes(error):
        code = getattr(cause, "sqlstate", None)
        if isinstance(code, str):
            return code
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and those behind it: SQLAlchemy wraps that of the driver."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = getattr(found, "orig", None) or found.__cause__


def _said(error: BaseException) -> str:
    """What the server said. Not what SQLAlchemy makes of it: that names the statement."""
    *_, cause = _causes(error)
    return str(cause).partition("\n")[0] or type(cause).__name__
