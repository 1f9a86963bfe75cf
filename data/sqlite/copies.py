"""Automatic copies: named by their time, verified, and thinned out.

A copy is kept for a day. For each of the last seven days, and of the last four weeks, the newest is kept. So
the oldest is at most four weeks old, and after that no copy contains people who were forgotten. The folders that have had
copies are noted next to the database, because copies expire in a folder that is no longer used, too.
"""

import shutil
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from data.errors import StoreFull
from data.files import real, write_durably
from data.sqlite.backups import back_up
from data.sqlite.opening import look

DAYS: Final = 7
WEEKS: Final = 4
_FORM: Final = "%Y%m%dT%H%M%SZ"
_LEFT: Final = timedelta(days=1)
_OTHERS: Final = (".before-*", ".replaced*", ".restored*", ".lost-*")
"""What is next to the file: copies made before a migration and before a restore, with their logs and the remains of
interrupted ones, and a log that was kept although its file was gone."""


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """An automatic copy."""

    made_at: datetime
    path: Path


def folder_of(database: Path) -> Path:
    """Return the default folder of a database's copies."""
    return database.parent / "backups"


def folders_of(database: Path) -> list[Path]:
    """Return the folders that have copies of a database or once had them: the default one, and those noted. Raises OSError."""
    note = _note_of(database)
    noted = note.read_text(errors="replace").splitlines() if note.exists() else []
    return [real(folder_of(database)), *map(Path, noted)]


def note_folder(folder: Path, database: Path) -> None:
    """Note durably that copies of a database are made in this folder; raises OSError."""
    known = folders_of(database)
    if (folder := real(folder)) not in known:
        write_durably(_note_of(database), "".join(f"{path}\n" for path in [*known[1:], folder]))


def found(folder: Path, database: Path) -> list[Copy]:
    """Return the copies of this database in a folder, oldest first."""
    prefix = database.stem + "-"
    return sorted(
        Copy(made_at, path)
        for path in folder.glob(f"{prefix}*{database.suffix}")
        if (made_at := _time(path.name.removeprefix(prefix).removesuffix(database.suffix)))
    )


def make(
    folder: Path, database: Path, now: datetime, is_stopping: Callable[[], bool] = lambda: False
) -> Copy:
    """Make a copy of mode 600, and open it as the program would.

    Raises StoreFull if it would fill the disk, otherwise what `back_up` and `look` raise. Gives up soon after
    `is_stopping` returns True.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size = database.stat().st_size
    if shutil.disk_usage(folder).free < 2 * size:
        raise StoreFull(f"a copy of {size} bytes would leave too little room in {folder}")
    copy = Copy(now, folder / f"{database.stem}-{now:{_FORM}}{database.suffix}")
    back_up(database, copy.path, is_stopping)
    look(copy.path, is_trusted=True)
    return copy


def remove_old(folder: Path, database: Path, now: datetime) -> None:
    """Remove expired copies of all kinds and the remains of interrupted ones. Raises OSError."""
    copies = found(folder, database)
    keep = kept((copy.made_at for copy in copies), now)
    old = [copy.path for copy in copies if copy.made_at not in keep]
    old += [path for path in folder.glob(f"{database.stem}-*.partial*") if _is_older(path, now, _LEFT)]
    for pattern in _OTHERS:
        beside = database.parent.glob(database.name + pattern)
        old += [path for path in beside if _is_older(path, now, timedelta(weeks=WEEKS))]
    for path in old:
        path.unlink(missing_ok=True)


def _note_of(database: Path) -> Path:
    return database.with_name(database.name + ".folders")


def _is_older(path: Path, now: datetime, age: timedelta) -> bool:
    """Return whether a file is there, and was neither written nor moved within this time."""
    try:
        file = path.stat()
    except FileNotFoundError:  # another process, whose backups are in the same folder, has just removed it
        return False
    return max(file.st_mtime, file.st_ctime) < (now - age).timestamp()


def kept(times: Iterable[datetime], now: datetime) -> set[datetime]:
    """Return the times of the copies to keep. Future times, after a clock was set back, are kept until past."""
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
