"""Where messages stand that may name somebody, and which of them are to be amended after a person was forgotten."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    op.create_table(
        "public_message",
        sa.Column("message_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("channel_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("about", sa.Integer, nullable=False),
        sa.CheckConstraint("kind IN ('day', 'score')"),
        **STRICT,
    )
    op.create_index("ix_public_message_about", "public_message", ["kind", "about"])
    op.create_table(
        "amendment",
        sa.Column("message_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("channel_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("about", sa.Integer, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Integer, nullable=False),
        sa.CheckConstraint("kind IN ('table', 'season', 'day', 'score')"),
        **STRICT,
    )
    op.create_index("ix_amendment_due", "amendment", ["not_before"])
