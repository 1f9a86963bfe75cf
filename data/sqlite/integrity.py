"""Whether a file holds all that it should: it is looked through where it may be damaged, and its mark tells whether something was lost.

To look through a whole file takes seven seconds a gigabyte. A large one that was found sound, closed well and not touched
since is used at once, and looked through beside the work: only the disk can have changed it. Every other one is looked
through first: a small one, one that a crash has left, a copy that was put there. A note beside the file says that it was closed
well, and how large and old it was then. It is gone as soon as the file is opened again.

When its log is removed or cut, or its file emptied, SQLite opens what is left as a sound database of an earlier time.
So the bot commits a mark now and then, and only then writes the same mark to a small file of its own. States of a
database follow each other in one line: one that lacks the mark has lost something, and whatever was committed before
the mark is in one that has it. The file never claims more than is on the disk, so no crash raises a false alarm.
A database that is found without such a file, a copy for instance, begins a new history. So does a restored one.
"""

import asyncio
import secrets
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from zlib import crc32

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import text

from data.errors import Holdings, RestoreInterrupted, StoreDamagedError, StoreLost
from data.files import kept_beside, sync_directory, write_durably
from data.repositories.key_values import KeyValueRepository
from data.sqlite.engines import named_faults

LARGE_BYTES: Final = 100_000_000
"""Smaller files are always checked first: it takes less than a second."""


def note_file(path: Path) -> Path:
    """Return the file next to a database that records how it was closed."""
    return path.with_name(path.name + ".closed")


def note_closed(path: Path) -> None:
    """Record that a large file, found intact since it was opened, was closed cleanly. Raises OSError.

    No one may have the file open any more.
    """
    if path.stat().st_size >= LARGE_BYTES and not _log(path).exists():
        write_durably(note_file(path), _stamp(path))


def forget_note(path: Path) -> None:
    """Remove the note, because the file is opened. Raises OSError."""
    if note_file(path).exists():
        note_file(path).unlink()
        sync_directory(path.parent)


def may_be_trusted(path: Path) -> bool:
    """Return whether a file is large, was closed cleanly while intact, and is unchanged since."""
    if not note_file(path).exists() or not path.exists() or _log(path).exists():
        return False
    return path.stat().st_size >= LARGE_BYTES and note_file(path).read_text(errors="replace") == _stamp(path)


def look_through(path: Path, database: sqlite3.Connection) -> None:
    """Check a whole file; raises StoreDamagedError."""
    database.execute("PRAGMA cell_size_check=ON")
    # Not quick_check: an index entry that points elsewhere would hide a row.
    (complaint,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if complaint != "ok":
        raise StoreDamagedError(f"{path} is corrupt: {complaint}")


def read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing, usable in any thread."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)


async def look_through_beside(path: Path) -> None:
    """Do the same in a thread, while others use the file; ends soon after a cancellation."""
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


NOTE = "mark"

# Rows of these tables are only ever added, so the largest number is their count, at no cost.
_HELD = """
    SELECT (SELECT coalesce(max(rowid), 0) FROM game_table) AS tables,
           (SELECT coalesce(max(rowid), 0) FROM deal) AS deals,
           (SELECT coalesce(max(rowid), 0) FROM event) AS events,
           (SELECT coalesce(max(rowid), 0) FROM season) AS seasons,
           (SELECT coalesce(max(rowid), 0) FROM season_event) AS season_events
"""
_REPLACING = "a copy is being restored\n"
"""In the place of a mark while the database is replaced."""
_NOTED = "SELECT value FROM meta WHERE key = ?"


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment in the history of a database."""

    history: str
    """A random value for each history; two databases with the same one have a common past."""
    number: int
    """Grows with every mark of a history."""
    held: Holdings
    """The minimum that the database held."""

    def holds(self, other: "Mark") -> bool:
        """Return whether a database with this mark contains everything that `other` claims."""
        return self.history == other.history and self.number >= other.number and self.held.has(other.held)


_MARK = TypeAdapter(Mark)


class MarkRepository(KeyValueRepository):
    """Commits marks."""

    async def add(self, *, anew: bool) -> Mark:
        """Commit and return the next mark of the database's history, or the first of a new one."""
        noted = None if anew else _read(await self.get(NOTE))
        before = noted or Mark(secrets.token_hex(8), 0, Holdings())
        row = (await self._execute(text(_HELD))).one()
        mark = replace(before, number=before.number + 1, held=Holdings(*row))
        await self.set(NOTE, _MARK.dump_json(mark).decode())
        return mark


def mark_file(path: Path) -> Path:
    """Return the file next to a database that holds its last mark."""
    return path.with_name(path.name + ".mark")


def claim(path: Path, mark: Mark) -> None:
    """Record next to the database that it holds at least this; the mark is committed there. Raises OSError."""
    body = _MARK.dump_json(mark).decode()
    write_durably(mark_file(path), f"{body}\n{_check(body)}\n")


def forget_claim(path: Path) -> None:
    """Delete the record next to the database, which was replaced on purpose."""
    if mark_file(path).exists():
        mark_file(path).unlink()
        sync_directory(path.parent)


def refuse_starts(path: Path) -> None:
    """Let no one open what is there until `forget_claim`: the database is about to be replaced. Raises OSError.

    Until then opening it raises RestoreInterrupted.
    """
    write_durably(mark_file(path), _REPLACING)


def check_never_used(path: Path) -> None:
    """Raise StoreLost if something is claimed next to a database without tables."""
    claimed = _claimed(path)
    if claimed is not None:
        raise StoreLost("it is empty", claimed.held, Holdings(), _claimed_at(path))


def check_not_emptied(path: Path) -> None:
    """Raise StoreLost if the file is gone or empty while its mark or its log shows that it was not.

    Call it before SQLite opens the file: SQLite deletes the log of an empty file, which may still contain
    games.
    """
    if _size(path):
        return
    check_never_used(path)
    if _size(_log(path)):
        raise StoreLost("it is empty, but its log is not", None, None, None)


def check_nothing_lost(path: Path, database: sqlite3.Connection) -> None:
    """Raise StoreLost if the database lacks what is claimed next to it; without a claim nothing is missing."""
    claimed = _claimed(path)
    if claimed is None:
        return
    held = Holdings(*database.execute(_HELD).fetchone())
    row = database.execute(_NOTED, (NOTE,)).fetchone()
    noted = _read(row[0]) if row else None
    if noted is None or noted.history != claimed.history:
        raise StoreLost("another file is in its place", claimed.held, held, _claimed_at(path))
    if not replace(noted, held=held).holds(claimed):
        raise StoreLost("it is as it was earlier", claimed.held, held, _claimed_at(path))


def set_lost_aside(path: Path) -> None:
    """Continue without the missing part. A log without its file is kept under another name.

    It may still contain games.
    """
    if not _size(path) and _size(_log(path)):
        _log(path).replace(_log(kept_beside(path, "lost")))
    forget_claim(path)


def _claimed(path: Path) -> Mark | None:
    """Return the mark next to the database; None if there is none; raises StoreLost if it can't be read."""
    try:
        content = mark_file(path).read_text(errors="replace")
    except FileNotFoundError:
        return None
    if content == _REPLACING:
        raise RestoreInterrupted("restoring a copy was interrupted", None, None, _claimed_at(path))
    body, _, check = content.partition("\n")
    mark = _read(body) if check.strip() == _check(body) else None
    if mark is None:
        raise StoreLost(f"{mark_file(path).name} can't be read", None, None, _claimed_at(path))
    return mark


def _claimed_at(path: Path) -> float | None:
    file = mark_file(path)
    return file.stat().st_mtime if file.exists() else None


def _read(content: str | None) -> Mark | None:
    try:
        return None if content is None else _MARK.validate_json(content)
    except ValidationError:
        return None


def _check(body: str) -> str:
    return f"{crc32(body.encode()):08x}"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
