"""Copies of the file: made while others write, verified before they count, restored while no one writes."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from data.errors import StoreDamagedError, StoreForbidden, StoreLost, StoreUnavailableError
from data.files import FileLock, kept_beside, real, sync_directory
from data.sqlite.engines import named_faults
from data.sqlite.integrity import check_not_emptied, forget_claim, refuse_starts

_LOGS = ("-wal", "-journal")
_COMPANIONS = (*_LOGS, "-shm")
"""SQLite takes a file of such a name for a part of the database beside it. The last one is only an index."""
_PAGES = 1_000
"""How many pages are copied at a time: a few megabytes."""
_STEPS = 10_000
"""How many steps of a check are made at a time: some milliseconds."""


def back_up(path: Path, target: Path, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """A verified copy of a database, whole and of mode 600, in place of what `target` was.

    The source is only read, so a bot may go on writing. Raises StoreDamagedError, StoreLost, StoreUnavailableError or
    OSError; then `target` is as it was, and nothing is left beside it. So it is soon after `is_stopping` returns True.
    If `target` had to be removed before the copy could be put in its place, and that fails, the copy stays as `.partial`.
    """
    _check_places(path, target)
    check_not_emptied(path)
    partial, is_there = target.with_name(target.name + ".partial"), False
    try:
        _copy(path, partial, is_stopping)
        is_there = target.exists()
        _put(partial, target)
    except BaseException:
        if not is_there or target.exists():
            _remove(partial)
        raise
    forget_claim(target)


def _check_places(path: Path, target: Path) -> None:
    if not path.exists():
        raise StoreForbidden(f"there is no {path}")
    if target.is_dir():
        raise StoreForbidden(f"{target} is a folder; name a file in it")
    if target.exists() and target.samefile(path):  # a bot would go on writing into the file that was replaced
        raise StoreForbidden("the copy would replace the database itself; name another file")


def _copy(path: Path, partial: Path, is_stopping: Callable[[], bool]) -> None:
    def go_on(*_: object) -> None:
        if is_stopping():
            raise StoreUnavailableError("the copy was given up")

    _remove(partial)
    os.close(os.open(partial, os.O_RDWR | os.O_CREAT, 0o600))
    read_only = f"{path.absolute().as_uri()}?mode=ro"
    with (
        named_faults(),
        closing(sqlite3.connect(read_only, uri=True)) as source,
        closing(sqlite3.connect(partial)) as copy,
    ):
        # In one snapshot: SQLite begins anew whenever others have written between two parts.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master")
        source.backup(copy, pages=_PAGES, progress=go_on)
        copy.set_progress_handler(is_stopping, _STEPS)
        copy.execute("PRAGMA journal_mode=DELETE")
        (complaint,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        stray = copy.execute("PRAGMA foreign_key_check").fetchone()
    if complaint != "ok" or stray is not None:
        raise StoreDamagedError(f"the copy of {path} is corrupt: {complaint if stray is None else stray}")


def restore(path: Path, copy: Path) -> Path | None:
    """Replace the database with a copy; return where the old one was kept, or None if there was none.

    A link to the database stays a link. Raises StoreLockedError while a bot runs and StoreDamagedError for a
    corrupt copy, and StoreFull or OSError if there is no room, having changed nothing and leaving nothing. If it is
    interrupted, the old database is as it was, or no bot starts until a copy is restored.
    """
    path = real(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        fresh = path.with_name(path.name + ".restored")
        back_up(copy, fresh)
        kept = kept_beside(path, "replaced")
        try:
            is_copied = _is_copied(path, kept)
            refuse_starts(path)
        except BaseException:  # the database is as it was, and these are only copies
            _remove(fresh)
            _remove(kept)
            raise
        kept_as = [kept] if is_copied else _moved(path, kept)
        _put(fresh, path)
        forget_claim(path)
        return next(iter(kept_as), None)
    finally:
        lock.release()


def _is_copied(path: Path, kept: Path) -> bool:
    """Keep a copy of a database, with what is in its log; return False if it can't be read or is not there."""
    try:
        back_up(path, kept)
    except (StoreDamagedError, StoreLost, StoreForbidden):
        return False
    return True


def _moved(path: Path, kept: Path) -> list[Path]:
    """Move what is left of a database unchanged, and return the new places.

    An empty file is not moved with its log: SQLite deletes the log of an empty file.
    """
    moved: list[Path] = []
    for name in ("", *_LOGS):
        part = path.with_name(path.name + name)
        if part.exists() and part.stat().st_size:
            moved.append(part.replace(kept.with_name(kept.name + name)))
    sync_directory(path.parent)
    return moved


def _put(fresh: Path, path: Path) -> None:
    """Put a whole database in the place of another one, of which nothing stays that would be taken for its log.

    The other one goes before its log: without it, it would be corrupt, or as it was earlier.
    """
    if any(companion.exists() for companion in _companions(path)):
        path.unlink(missing_ok=True)
        sync_directory(path.parent)
        _remove(path)
        sync_directory(path.parent)
    fresh.replace(path)
    sync_directory(path.parent)


def _remove(path: Path) -> None:
    for part in (path, *_companions(path)):
        part.unlink(missing_ok=True)


def _companions(path: Path) -> list[Path]:
    return [path.with_name(path.name + name) for name in _COMPANIONS]
