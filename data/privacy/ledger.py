"""Who was forgotten, kept outside the database, so that restoring a backup brings no one back.

Each request has one line: when it was made, in milliseconds since 1970, the keyed digest of the person's id, and a
random mark. Without the database, the digest identifies no one. The database contains the marks of the requests that it
has followed (`data.schema.core.erasure`), so those that a backup lacks are known, however clocks were set.
"""

import os
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from data.files import sync_contents, sync_directory

_LINE: Final = re.compile(r"([0-9]{1,15}) (\S+)(?: ([0-9a-f]+))?")
NAME = "forgotten"
"""The file's name, next to the copies of the database."""


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """One line: that a person asked to be forgotten."""

    at: int
    digest: str
    mark: str
    """Of lines that an earlier version has written, it follows from the rest."""
    is_marked: bool
    """Whether the line itself has the mark."""


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
            file.write(f"\n{now} {digest} {secrets.token_hex(8)}\n")
            file.flush()
            sync_contents(file.fileno())
        sync_directory(self._path.parent)

    def requests(self) -> list[ErasureRequest]:
        """Return all complete lines; raises OSError."""
        if not self._path.exists():
            return []
        lines = self._path.read_text(encoding="ascii", errors="replace").splitlines()
        found = filter(None, map(_LINE.fullmatch, lines))
        return [
            ErasureRequest(int(line[1]), line[2], line[3] or _mark_of(line[0]), is_marked=bool(line[3]))
            for line in found
        ]


def _mark_of(line: str) -> str:
    return sha256(line.encode()).hexdigest()[:16]
