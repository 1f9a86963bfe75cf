"""Copies of the file: made while others write, verified before they count, restored while no one writes."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from data.errors import StoreDamagedError, StoreForbidden
from data.files import FileLock, real, sync_directory
from data.sqlite.engines import named_faults
from data.sqlite.integrity import forget_claim

_COMPANIONS = ("-wal", "-shm")


def back_up(path: Path, target: Path) -> None:
    """A verified copy of a database, whole and of mode 600, in place of what `target` was.

    The source is only read, so a bot may go on writing. Raises StoreDamagedError, StoreUnavailableError or OSError; then
    `target` is as it was, and nothing is left beside it.
    """
    _check_places(path, target)
    partial = target.with_name(target.name + ".partial")
    try:
        _copy(path, partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    sync_directory(target.parent)


def _check_places(path: Path, target: Path) -> None:
    if not path.exists():
        raise StoreForbidden(f"there is no {path}")
    if target.is_dir():
        raise StoreForbidden(f"{target} is a folder; name a file in it")
    if target.exists() and target.samefile(path):  # a bot would go on writing into the file that was replaced
        raise StoreForbidden("the copy would replace the database itself; name another file")


def _copy(path: Path, partial: Path) -> None:
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_RDWR | os.O_CREAT, 0o600))
    read_only = f"{path.absolute().as_uri()}?mode=ro"
    with (
        named_faults(),
        closing(sqlite3.connect(read_only, uri=True)) as source,
        closing(sqlite3.connect(partial)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        (complaint,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        stray = copy.execute("PRAGMA foreign_key_check").fetchone()
    if complaint != "ok" or stray is not None:
        raise StoreDamagedError(f"the copy of {path} is corrupt: {complaint if stray is None else stray}")


def restore(path: Path, copy: Path) -> Path | None:
    """Replace the database with a copy; return where the old one was kept, or None if there was none.

    A link to the database stays a link. Raises StoreLockedError while a bot runs and StoreDamagedError for a
    corrupt copy, having changed nothing.
    """
    path = real(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        fresh = path.with_name(path.name + ".restored")
        back_up(copy, fresh)
        forget_claim(path)
        kept = _set_aside(path) if path.exists() else None
        fresh.replace(path)
        sync_directory(path.parent)
        return kept
    finally:
        lock.release()


def _set_aside(path: Path) -> Path:
    """Keep a copy of the replaced file; a file that cannot be copied is moved unchanged.

    No log may stay behind: it would be taken for that of the restored file.
    """
    # To the microsecond: nothing that was kept before may be replaced.
    kept = path.with_name(f"{path.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}")
    try:
        back_up(path, kept)
    except StoreDamagedError:
        for name in ("", *_COMPANIONS):
            if (part := path.with_name(path.name + name)).exists():
                part.replace(kept.with_name(kept.name + name))
    _remove_companions(path)
    return kept


def _remove_companions(path: Path) -> None:
    for name in _COMPANIONS:
        path.with_name(path.name + name).unlink(missing_ok=True)
