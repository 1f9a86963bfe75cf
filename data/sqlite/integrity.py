"""Whether a file has to be looked through before the store works with it.

To look through a whole file takes seven seconds a gigabyte. A large one that was found sound, closed well and not touched
since is used at once, and looked through beside the work: only the disk can have changed it. Every other one is looked
through first: a small one, one that a crash has left, a copy that was put there.

A note beside the file says that it was closed well, and how large and old it was then. It is gone as soon as the file is
opened again.
"""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from data.errors import StoreDamagedError
from data.files import sync_directory, write_durably
from data.sqlite.engines import named_faults

LARGE_BYTES: Final = 100_000_000
"""Smaller files are always looked through first: it takes less than a second."""


def note_file(path: Path) -> Path:
    """The file beside a database that says how it was closed."""
    return path.with_name(path.name + ".closed")


def note_closed(path: Path) -> None:
    """Nobody has the file open any more, and it was found sound since it was opened: note that of a large one. Raises OSError."""
    if path.stat().st_size >= LARGE_BYTES and not _log(path).exists():
        write_durably(note_file(path), _stamp(path))


def forget_note(path: Path) -> None:
    """The file is opened: what was noted of it counts no more. Raises OSError."""
    if note_file(path).exists():
        note_file(path).unlink()
        sync_directory(path.parent)


def may_be_trusted(path: Path) -> bool:
    """Whether a file is large, was closed well when it was known to be sound, and is as it was then."""
    if not note_file(path).exists() or not path.exists() or _log(path).exists():
        return False
    return path.stat().st_size >= LARGE_BYTES and note_file(path).read_text(errors="replace") == _stamp(path)


def look_through(path: Path, database: sqlite3.Connection) -> None:
    """Look through a whole file; raises StoreDamagedError."""
    database.execute("PRAGMA cell_size_check=ON")
    # Not quick_check: an entry of an index that leads elsewhere would hide a row.
    (complaint,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if complaint != "ok":
        raise StoreDamagedError(f"{path} is corrupt: {complaint}")


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, for any thread."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)


async def look_through_beside(path: Path) -> None:
    """The same in a thread, while others work with the file; it ends soon when it is cancelled."""
    database = read_only(path)

    def look() -> None:
        with named_faults(), closing(database):
            look_through(path, database)

    try:
        await asyncio.to_thread(look)
    except asyncio.CancelledError:
        database.interrupt()
        raise


def _stamp(path: Path) -> str:
    file = path.stat()
    return f"{file.st_ino} {file.st_size} {file.st_mtime_ns}\n"


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")
