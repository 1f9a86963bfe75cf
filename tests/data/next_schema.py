"""A schema after the current one, as in a later version of the program."""

import shutil
from pathlib import Path

from data.migrating import MIGRATIONS

NUMBERS = sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("*.py"))
NEWEST = NUMBERS[-1]
NEXT = f"{int(NEWEST) + 1:04}"
ADD_COLUMN = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{NEWEST}"


def upgrade():
    op.add_column("guild", sa.Column("added", sa.Text))
"""


def migrations(folder: Path, another: str = ADD_COLUMN) -> Path:
    """Create the project's migrations and one more, in a folder below this one."""
    copy = folder / "migrations"
    shutil.copytree(MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "versions" / f"{NEXT}_more.py").write_text(another)
    return copy
