"""One process a database: an advisory lock on `<database>.lock` that the system drops when the process ends."""

import os
import sys
from pathlib import Path

from data.errors import StoreLockedError


class FileLock:
    """Held from construction to `release`; raises StoreLockedError when somebody else holds it. The file stays."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            os.close(self._file)
            raise StoreLockedError(f"another process holds {path}") from None

    def release(self) -> None:
        """Let the next process in."""
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
