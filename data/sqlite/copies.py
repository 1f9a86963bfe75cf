"""Copies that are made by themselves: named by their time, verified, and enough of them kept.

A copy is kept for a day. Of each of the last seven days the newest is kept, and of each of the last four weeks. So the
oldest is not older than four weeks, and people who were forgotten are in no copy after that.
"""

import shutil
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from data.errors import StoreFull
from data.sqlite.backups import back_up
from data.sqlite.opening import look

DAYS: Final = 7
WEEKS: Final = 4
_FORM: Final = "%Y%m%dT%H%M%SZ"
_LEFT: Final = timedelta(days=1)
_OTHERS: Final = (".before-*", ".replaced")
"""Copies that are made before a migration and before a restore, beside the file."""


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """A copy that was made by itself."""

    made_at: datetime
    path: Path


def folder_of(database: Path) -> Path:
    """Where the copies of a database are kept unless somebody says otherwise."""
    return database.parent / "backups"


def found(folder: Path, database: Path) -> list[Copy]:
    """The copies of this database in a folder, the oldest first."""
    prefix = database.stem + "-"
    return sorted(
        Copy(made_at, path)
        for path in folder.glob(f"{prefix}*{database.suffix}")
        if (made_at := _time(path.name.removeprefix(prefix).removesuffix(database.suffix)))
    )


def make(folder: Path, database: Path, now: datetime) -> Copy:
    """Make a copy of mode 600, and open it as the program would.

    Raises StoreFull when it would fill the disk, otherwise what `back_up` and `look` raise.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size = database.stat().st_size
    if shutil.disk_usage(folder).free < 2 * size:
        raise StoreFull(f"a copy of {size} bytes would leave too little room in {folder}")
    copy = Copy(now, folder / f"{database.stem}-{now:{_FORM}}{database.suffix}")
    back_up(database, copy.path)
    look(copy.path)
    return copy


def remove_old(folder: Path, database: Path, now: datetime) -> None:
    """Remove the copies of all kinds that have served their time, and what a broken-off one has left. Raises OSError."""
    copies = found(folder, database)
    keep = kept((copy.made_at for copy in copies), now)
    old = [copy.path for copy in copies if copy.made_at not in keep]
    old += [path for path in folder.glob(f"{database.stem}-*.partial") if _is_older(path, now, _LEFT)]
    for pattern in _OTHERS:
        beside = database.parent.glob(database.name + pattern)
        old += [path for path in beside if _is_older(path, now, timedelta(weeks=WEEKS))]
    for path in old:
        path.unlink(missing_ok=True)


def _is_older(path: Path, now: datetime, age: timedelta) -> bool:
    """Whether a file was neither written nor put in its place within this time."""
    file = path.stat()
    return max(file.st_mtime, file.st_ctime) < (now - age).timestamp()


def kept(times: Iterable[datetime], now: datetime) -> set[datetime]:
    """Which of these copies are kept. Times to come, after a clock was set back, are kept until they are past."""
    newest: dict[Hashable, datetime] = {}
    for time in sorted(times):
        age = now - time
        if age < timedelta(days=1):
            newest[time] = time
        if now.date() - time.date() < timedelta(days=DAYS):
            newest[time.date()] = time
        if age < timedelta(weeks=WEEKS):
            newest[time.isocalendar()[:2]] = time
    return set(newest.values())


def _time(name: str) -> datetime | None:
    try:
        return datetime.strptime(name, _FORM).replace(tzinfo=UTC)
    except ValueError:
        return None
