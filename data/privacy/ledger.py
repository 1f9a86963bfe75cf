"""Who was forgotten, kept outside the database: a copy that is put back must not bring anybody back.

One line for each person: when it was, in milliseconds since 1970, and the keyed digest of their id, from which nobody
without the database can tell who it is.
"""

import os
import re
from pathlib import Path
from typing import Final

from data.files import sync_contents, sync_directory

_MOMENT: Final = re.compile("[0-9]{1,15}")
NAME = "forgotten"
"""The file's name, beside the copies of the database."""


class ForgottenLedger:
    """The file with these lines, which only grows."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, digest: str, now: int) -> None:
        """Note somebody; afterwards it is on the disk. Raises OSError."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            # A line that a power cut has left half must not swallow this one.
            file.write(f"\n{now} {digest}\n")
            file.flush()
            sync_contents(file.fileno())
        sync_directory(self._path.parent)

    def since(self, moment: int) -> frozenset[str]:
        """The digests of those who were forgotten at this moment or later. Raises OSError."""
        if not self._path.exists():
            return frozenset()
        lines = (
            line.split() for line in self._path.read_text(encoding="ascii", errors="replace").splitlines()
        )
        whole = (parts for parts in lines if len(parts) == 2 and _MOMENT.fullmatch(parts[0]))
        return frozenset(digest for at, digest in whole if int(at) >= moment)
