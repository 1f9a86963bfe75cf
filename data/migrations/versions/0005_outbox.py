"""The outbox takes messages of every subject, not of tables alone."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

COUNTED: dict[str, Any] = {"sqlite_strict": True, "sqlite_autoincrement": True}
PENDING = sa.text("done_at IS NULL")


def upgrade() -> None:
    op.drop_index("ux_outbox_pending", "outbox")
    op.drop_index("ix_outbox_done", "outbox")
    op.execute("ALTER TABLE outbox RENAME TO outbox_before")
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("about", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("queued_at", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Integer, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("done_at", sa.Integer),
        **COUNTED,
    )
    # The ids stay: with the moment they are the nonces of messages that may be under way.
    op.execute(
        "INSERT INTO outbox SELECT id, 'table', table_id, kind,"
        " CASE WHEN kind IN ('hand', 'member', 'stands') THEN kind || ':' || seat"
        " WHEN kind IN ('close', 'retire') THEN key ELSE kind END,"
        " seat, revision, attempts, queued_at, not_before, error, done_at FROM outbox_before ORDER BY id"
    )
    op.execute(
        "UPDATE outbox SET subject = 'board_set', about = (SELECT CAST(substr(key, 7) AS INTEGER)"
        " FROM outbox_before WHERE outbox_before.id = outbox.id) WHERE kind = 'daily'"
    )
    op.drop_table("outbox_before")
    of_a_key = ["subject", "about", "name"]
    op.create_index("ux_outbox_pending", "outbox", of_a_key, unique=True, sqlite_where=PENDING)
    op.create_index("ix_outbox_name", "outbox", [*of_a_key, "done_at"])
    op.create_index("ix_outbox_done", "outbox", ["done_at"])
