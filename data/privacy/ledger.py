"""Who was forgotten, kept outside the database, so that restoring a backup brings no one back.

Each request has one line: when it was made, in milliseconds since 1970, the keyed digest of the person's id, and a
random mark. Without the database, the digest identifies no one. The database contains the marks of the requests that it
has followed (`data.schema.core.erasure`), so those that a backup lacks are known, however clocks were set.

The lines are in two files, if the backups are not kept next to the database: either is enough, whichever folder the
backups are kept in later, and although one of them is lost. Earlier versions wrote only one of the two, so each gets the
lines that only the other has.
"""

import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
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
    """The append-only files with these lines."""

    def __init__(self, *paths: Path) -> None:
        self._paths = list(dict.fromkeys(paths))

    def add(self, digest: str, now: int) -> None:
        """Record a person durably in each file; raises OSError if none has the line then.

        `complete` brings a line that only one of them takes to the other.
        """
        try:
            self._write(f"{now} {digest} {secrets.token_hex(8)}")
        except OSError:
            if (now, digest) not in [(request.at, request.digest) for request in self.requests()]:
                raise

    def complete(self) -> None:
        """Write durably to each file the lines that it lacks; raises OSError."""
        self._write()

    def requests(self) -> list[ErasureRequest]:
        """Return all complete lines of the files, each once; raises OSError."""
        return list(dict.fromkeys(request for path in self._paths for request in _requests(path)))

    def _write(self, *new: str) -> None:
        """Write new lines, and those that only some of the files have, as they are: a mark may follow from them.

        Raises the first OSError, after all files were tried.
        """
        known = {path: dict.fromkeys(line[0] for line in _lines(path)) for path in self._paths}
        lines = dict.fromkeys([*chain.from_iterable(known.values()), *new])
        faults: list[OSError] = []
        for path, kept in known.items():
            if lacking := [line for line in lines if line not in kept]:
                try:
                    _append(path, lacking)
                except OSError as fault:
                    faults.append(fault)
        if faults:
            raise faults[0]


def _append(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        for line in lines:
            file.write(f"\n{line}\n")  # an incomplete line after a power failure must not swallow this one
        file.flush()
        sync_contents(file.fileno())
    sync_directory(path.parent)


def _requests(path: Path) -> list[ErasureRequest]:
    return [
        ErasureRequest(int(line[1]), line[2], line[3] or _mark_of(line[0]), is_marked=bool(line[3]))
        for line in _lines(path)
    ]


def _lines(path: Path) -> list[re.Match[str]]:
    """Return the lines of a file that can be read."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    return list(filter(None, map(_LINE.fullmatch, lines)))


def _mark_of(line: str) -> str:
    return sha256(line.encode()).hexdigest()[:16]
