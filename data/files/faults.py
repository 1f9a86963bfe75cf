"""What errors of the system mean to the bot."""

import errno
from collections.abc import Generator
from contextlib import contextmanager

from data.errors import StoreForbidden, StoreFull

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def named_file_faults() -> Generator[None, None, None]:
    """Raise StoreFull or StoreForbidden where the system refuses to make, read or write a file."""
    try:
        yield
    except OSError as error:
        fault = StoreFull if error.errno in _NO_ROOM else StoreForbidden
        raise fault(f"{error.strerror or error}: {error.filename}") from error
