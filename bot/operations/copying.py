"""Copies of the database file, made automatically while the bot runs."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from threading import Event
from typing import Final

import structlog

from bot.services import Services
from bot.settings import Settings
from data.errors import StoreError
from data.files import named_file_faults, real
from data.sqlite.copies import Copy, folder_of, folders_of, found, make, note_folder, remove_old
from league.times import SECOND

FIRST_LOOK_S: Final = 60.0
"""The pause before the first check, in seconds, so that no copy delays the first answers after a start."""
LOOK_S: Final = 600.0

log = structlog.get_logger(__name__)


def copies_folder(settings: Settings) -> Path:
    """Return the folder of the copies."""
    return settings.backup_path or folder_of(settings.database_path)


def all_copies(settings: Settings) -> list[Copy]:
    """Return the automatic copies of the file, oldest first, also those in folders that are no longer used. Raises OSError."""
    return sorted(copy for folder in _all_folders(settings) for copy in found(folder, settings.database_path))


def newest_copy(settings: Settings, now: datetime) -> Copy | None:
    """Return the newest automatic copy; None if there is none. Copies dated in the future are ignored.

    Copies of a server's database are made outside the bot by `pg_dump` (deploy/copies.sh), and named in the
    same way.
    """
    place = settings.place
    copied = place if isinstance(place, Path) else Path(f"{place.database}.dump")
    copies = found(copies_folder(settings), copied)
    return next((copy for copy in reversed(copies) if copy.made_at <= now), None)


async def keep_copies(services: Services) -> None:
    """Make a copy whenever the newest is older than the settings allow, and remove expired copies.

    A server's copies are made elsewhere; those of the file that was used before it still expire. Errors are logged and
    the work is retried, while the games continue.
    """
    await asyncio.sleep(FIRST_LOOK_S)
    while True:
        now = datetime.fromtimestamp(services.clock.now() / SECOND, UTC)
        try:
            await copied(partial(look_after_copies, services.settings, now))
        except StoreError as error:
            log.error("backup.failed", why=str(error))  # noqa: TRY400 - the words say everything
        await asyncio.sleep(LOOK_S)


async def copied(copy: Callable[[Callable[[], bool]], None]) -> None:
    """Run `copy` in a thread, with a function that says whether it is to give up: a stop does not wait until it is complete.

    Raises StoreError.
    """
    stopping = Event()
    try:
        with named_file_faults():
            await asyncio.to_thread(copy, stopping.is_set)
    except asyncio.CancelledError:
        stopping.set()
        raise


def look_after_copies(
    settings: Settings, now: datetime, is_stopping: Callable[[], bool] = lambda: False
) -> None:
    """Make a copy if one is due, and remove old ones in every folder even if that fails; raises StoreError or OSError.

    A folder that is no longer used and cannot be cleaned is only logged: it must hide no other fault. Gives the copy up
    soon after `is_stopping` returns True.
    """
    folders = _all_folders(settings)
    try:
        _copy_if_due(settings, now, is_stopping)
    finally:
        faults = _remove_old(folders, settings.database_path, now)
    if fault := faults.get(real(copies_folder(settings))):
        raise fault


def _copy_if_due(settings: Settings, now: datetime, is_stopping: Callable[[], bool]) -> None:
    folder, database = copies_folder(settings), settings.database_path
    # Even if none is due: an earlier version may have made some there.
    if settings.database_url is None:
        note_folder(folder, database)
    if _is_due(settings, now):
        copy = make(folder, database, now, is_stopping)
        log.info("backup.made", path=str(copy.path), bytes=copy.path.stat().st_size)


def _remove_old(folders: Iterable[Path], database: Path, now: datetime) -> dict[Path, OSError]:
    """Remove old copies, and return why a folder could not be cleaned."""
    faults: dict[Path, OSError] = {}
    for folder in folders:
        try:
            remove_old(folder, database, now)
        except OSError as fault:
            _log_once(str(folder), str(fault))
            faults[folder] = fault
    return faults


@cache
def _log_once(folder: str, why: str) -> None:
    """Log why a folder is not cleaned; each reason only once, because it is tried every few minutes."""
    log.error("backup.not_removed", folder=folder, why=why)


def _all_folders(settings: Settings) -> set[Path]:
    return {real(copies_folder(settings)), *folders_of(settings.database_path)}


def _is_due(settings: Settings, now: datetime) -> bool:
    if settings.database_url is not None or not settings.backup_every_h:
        return False
    newest = newest_copy(settings, now)
    return newest is None or now - newest.made_at >= timedelta(hours=settings.backup_every_h)
