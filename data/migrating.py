"""Schema versions: create a new database with the newest schema, or migrate an older one, of any kind."""

import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert

from data.errors import StoreTooNewError, StoreTooOldError
from data.privacy.limits import KEY_NOTE
from data.schema import TABLES
from data.schema.core import meta

MIGRATIONS = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Versions:
    """The schema versions that this program knows."""

    newest: str | None
    known: frozenset[str]

    def check(self, revision: str | None) -> None:
        """Raise StoreTooNewError or StoreTooOldError if this program cannot update the database's schema."""
        if revision in self.known:
            return
        said = f"it has schema {revision}, this program knows {min(self.known)} to {self.newest}"
        raise StoreTooOldError(said) if (revision or "") < min(self.known) else StoreTooNewError(said)


@cache
def versions(migrations: Path = MIGRATIONS) -> Versions:
    """Return the versions of these migrations, read once: they do not change while a program runs."""
    script = ScriptDirectory.from_config(_config(migrations))
    return Versions(script.get_current_head(), frozenset(step.revision for step in script.walk_revisions()))


def migrate(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Run the pending migrations: all of them or none."""
    command.upgrade(_config(migrations, connection), "head")


def create(connection: Connection, migrations: Path = MIGRATIONS) -> None:
    """Create the newest tables, and the key, in a database without tables. The caller commits."""
    TABLES.create_all(connection)
    connection.execute(insert(meta).values(key=KEY_NOTE, value=secrets.token_hex(32)))
    command.stamp(_config(migrations, connection), "head")


def _config(migrations: Path, connection: Connection | None = None) -> Config:
    """Return what an alembic.ini would contain."""
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
