"""The log of the database brought to the disk: what makes a commit last through a power cut.

SQLite appends every commit to a log beside the file. A commit is durable once the log was synchronised with the disk
after it, and one synchronisation serves all commits before it.
"""

import os
from pathlib import Path

from data.files.durable import sync_contents


class Log:
    """The log beside one database. Used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + "-wal")
        self._handle: int | None = None

    def synchronise(self) -> None:
        """Bring to the disk all that was committed before; raises OSError."""
        sync_contents(self._opened())

    def close(self) -> None:
        """Let go of the file."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _opened(self) -> int:
        """The log as it is now. It stays open, for the system tells of a failed write only those who had it open then."""
        if self._handle is not None and not os.path.samestat(os.fstat(self._handle), self._path.stat()):
            self.close()
        if self._handle is None:
            self._handle = os.open(self._path, os.O_RDWR)
        return self._handle
