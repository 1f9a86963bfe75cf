"""Files of earlier versions of the program."""

import shutil
import sqlite3
from pathlib import Path

from data.migrating import MIGRATIONS
from data.sqlite.opening import prepare


def migrations_before(number: str, place: Path) -> Path:
    """A copy in `place` of the migrations that came before the one with this number."""
    shutil.copytree(MIGRATIONS, place, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (place / "versions").glob("*.py"):
        if file.name >= number:
            file.unlink()
    return place


def columns_in_both(file: sqlite3.Connection, table: str) -> str:
    """The columns of a table that the file has as well as the one attached as `newer`, for a statement."""
    older, newer = (
        [name for _, name, *_ in file.execute(f"PRAGMA {base}.table_info({table})")]
        for base in ("main", "newer")
    )
    return ", ".join(f'"{name}"' for name in older if name in newer)


def former_file(path: Path, number: str) -> None:
    """A file of the program before the migration with this number."""
    path.parent.mkdir(exist_ok=True)
    prepare(path, migrations_before(number, path.with_name("migrations")))
