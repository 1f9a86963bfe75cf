"""The schema's versions: one line of migrations for every database."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that this program knows."""

    newest: str | None
    known: frozenset[str]


@cache
def versions(migrations: Path = MIGRATIONS) -> Versions:
    """The versions of these migrations, which are read once: they do not change while a program runs."""
    script = ScriptDirectory.from_config(_config(migrations))
    return Versions(script.get_current_head(), frozenset(step.revision for step in script.walk_revisions()))


def migrate(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run the migrations that are due: all of them, or none."""
    command.upgrade(_config(migrations, connection), "head")


def stamp(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Note that the database has the newest schema already."""
    command.stamp(_config(migrations, connection), "head")


def _config(migrations: Path, connection: Connection | None = None) -> Config:
    """What an alembic.ini would say."""
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
