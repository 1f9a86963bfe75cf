"""System files: their real paths, durable writes, locks, and their errors by name."""

import errno
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from data.errors import StoreForbidden, StoreFull, StoreLockedError

if sys.platform == "darwin":
    import fcntl


def write_durably(path: Path, text: str) -> None:
    """Replace a file with this text durably, mode 600. If interrupted, the old text is still there.

    Raises OSError.
    """
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(text.encode())  # all or an error: `os.write` may write only a part
        file.flush()
        sync_contents(file.fileno())
    partial.replace(path)
    sync_directory(path.parent)


def sync_contents(handle: int) -> None:
    """Flush an open file's contents to the disk itself; raises OSError."""
    if sys.platform == "darwin":  # here fsync reaches only the disk's cache
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    elif sys.platform == "win32":
        os.fsync(handle)
    else:
        os.fdatasync(handle)


def sync_directory(folder: Path) -> None:
    """Make renames and removals in a folder durable; Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def real(path: Path) -> Path:
    """Return the file's own path, resolving links, so that files next to it are found by any name.

    A dangling link is followed as well. A link to itself is returned unchanged: opening it fails.
    """
    return Path(os.path.realpath(path))


def kept_beside(path: Path, why: str) -> Path:
    """Return a name next to a file for what is kept of it; nothing that was kept before may be replaced."""
    return path.with_name(f"{path.name}.{why}-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}")


_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def named_file_faults() -> Generator[None, None, None]:
    """Raise StoreFull or StoreForbidden if the system refuses to create, read or write a file."""
    try:
        yield
    except OSError as error:
        fault = StoreFull if error.errno in _NO_ROOM else StoreForbidden
        raise fault(f"{error.strerror or error}: {error.filename}") from error


class FileLock:
    """A lock held from construction to `release`; raises StoreLockedError if held elsewhere. The file stays."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            os.close(self._file)
            raise StoreLockedError(f"another process holds {path}") from None

    def release(self) -> None:
        """Release the lock."""
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
