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

from data.errors import Holdings, StoreDamagedError, StoreLost
from data.files import sync_directory, write_durably
from data.repositories.key_values import KeyValueRepository
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


NOTE = "mark"

# Rows of these tables are only ever added, so the largest number is how many there are, at no cost.
_HELD = """
    SELECT (SELECT coalesce(max(rowid), 0) FROM game_table) AS tables,
           (SELECT coalesce(max(rowid), 0) FROM deal) AS deals,
           (SELECT coalesce(max(rowid), 0) FROM event) AS events,
           (SELECT coalesce(max(rowid), 0) FROM season) AS seasons,
           (SELECT coalesce(max(rowid), 0) FROM season_event) AS season_events
"""
_NOTED = "SELECT value FROM meta WHERE key = ?"


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment in the history of a database."""

    history: str
    """Drawn by chance for each history; two databases with the same one have a common past."""
    number: int
    """Grows with every mark of a history."""
    held: Holdings
    """What the database held at least."""

    def holds(self, other: "Mark") -> bool:
        """Whether a database with this mark holds everything that `other` tells of."""
        return self.history == other.history and self.number >= other.number and self.held.has(other.held)


_MARK = TypeAdapter(Mark)


class MarkRepository(KeyValueRepository):
    """Commits marks."""

    async def add(self, *, anew: bool) -> Mark:
        """The next mark of the database's history, or the first of a new one."""
        noted = None if anew else _read(await self.get(NOTE))
        before = noted or Mark(secrets.token_hex(8), 0, Holdings())
        row = (await self._execute(text(_HELD))).one()
        mark = replace(before, number=before.number + 1, held=Holdings(*row))
        await self.set(NOTE, _MARK.dump_json(mark).decode())
        return mark


def mark_file(path: Path) -> Path:
    """The file beside a database that holds its last mark."""
    return path.with_name(path.name + ".mark")


def claim(path: Path, mark: Mark) -> None:
    """Write down beside the database that it holds at least this; the mark is committed there. Raises OSError."""
    body = _MARK.dump_json(mark).decode()
    write_durably(mark_file(path), f"{body}\n{_check(body)}\n")


def forget_claim(path: Path) -> None:
    """What was written down beside the database counts no more: it is about to be replaced on purpose."""
    mark_file(path).unlink(missing_ok=True)
    sync_directory(path.parent)


def check_never_used(path: Path) -> None:
    """Raise StoreLost if something is claimed beside a database in which there is no table."""
    claimed = _claimed(path)
    if claimed is not None:
        raise StoreLost("it is empty", claimed.held, Holdings(), _claimed_at(path))


def check_not_emptied(path: Path) -> None:
    """Raise StoreLost if the file is gone or empty while its mark or its log tells that it was not.

    To be called before SQLite sees the file: it deletes the log of an empty one, which may still hold games.
    """
    if _size(path):
        return
    check_never_used(path)
    if _size(_log(path)):
        raise StoreLost("it is empty, but its log is not", None, None, None)


def check_nothing_lost(path: Path, database: sqlite3.Connection) -> None:
    """Raise StoreLost if the database does not hold what is claimed beside it; without a claim it holds enough."""
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
    """Go on without what is missing. A log without its file is kept under another name: it may still hold games."""
    if not _size(path) and _size(_log(path)):
        _log(path).replace(path.with_name(path.name + ".lost-wal"))
    forget_claim(path)


def _claimed(path: Path) -> Mark | None:
    """The mark beside the database, or None if there is none; raises StoreLost if it can't be read."""
    try:
        content = mark_file(path).read_text(errors="replace")
    except FileNotFoundError:
        return None
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
