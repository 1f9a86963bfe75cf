"""Who was forgotten, kept outside the database, so that restoring a backup brings no one back.

Each person has one line: when they were forgotten, in milliseconds since 1970, and the keyed digest of their id. Without the
database, the digest identifies no one.
"""

import os
import re
from pathlib import Path
from typing import Final

from data.files import sync_contents, sync_directory

_MOMENT: Final = re.compile("[0-9]{1,15}")
NAME = "forgotten"
"""The file's name, next to the copies of the database."""


class ForgottenLedger:
    """The append-only file with these lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, digest: str, now: int) -> None:
        """Record a person durably; raises OSError."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            # An incomplete line after a power failure must not swallow this one.
            file.write(f"\n{now} {digest}\n")
            file.flush()
            sync_contents(file.fileno())
        sync_directory(self._path.parent)

    def since(self, moment: int) -> frozenset[str]:
        """Return the digests of those who were forgotten at this moment or later; raises OSError."""
        if not self._path.exists():
            return frozenset()
        lines = (
            line.split() for line in self._path.read_text(encoding="ascii", errors="replace").splitlines()
        )
        whole = (parts for parts in lines if len(parts) == 2 and _MOMENT.fullmatch(parts[0]))
        return frozenset(digest for at, digest in whole if int(at) >= moment)
