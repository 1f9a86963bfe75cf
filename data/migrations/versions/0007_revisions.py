"""People and servers count the changes of their rows, so that a copy in memory can be compared with the file."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    # References in other tables keep naming the new table, not the one that is put aside.
    op.execute("PRAGMA legacy_alter_table = ON")
    _servers()
    _people()
    op.execute("PRAGMA legacy_alter_table = OFF")


def _servers() -> None:
    op.execute("ALTER TABLE guild RENAME TO guild_before")
    op.create_table(
        "guild",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.CheckConstraint("json_valid(settings)"),
        **STRICT,
    )
    op.execute("INSERT INTO guild SELECT id, settings, 0 FROM guild_before ORDER BY id")
    op.drop_table("guild_before")


def _people() -> None:
    op.execute("ALTER TABLE person RENAME TO person_before")
    op.create_table(
        "person",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("dms_open", sa.Integer, nullable=False),
        sa.Column("updated_at", sa.Integer, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.CheckConstraint("dms_open IN (0, 1)"),
        sa.CheckConstraint("json_valid(settings)"),
        **STRICT,
    )
    op.execute(
        "INSERT INTO person SELECT id, name, dms_open, updated_at, settings, updated_at"
        " FROM person_before ORDER BY id"
    )
    op.drop_table("person_before")
