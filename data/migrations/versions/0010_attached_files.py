"""Which files are attached to the messages that are edited again and again, so that no picture is sent twice."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    op.create_table(
        "attached_file",
        sa.Column("message_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        **STRICT,
    )
