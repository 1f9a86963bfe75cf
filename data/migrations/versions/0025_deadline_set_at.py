"""Store when a deadline was set, so that it is not credited with an outage from before."""

import sqlalchemy as sa
from alembic import op

from data.dialect import STRICT, Big, Text

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.execute("ALTER TABLE deadline RENAME TO deadline_before")
    op.create_table(
        "deadline",
        sa.Column("table_id", Big, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("kind", Text, primary_key=True),
        sa.Column("revision", Big, nullable=False),
        sa.Column("due_at", Big, nullable=False),
        sa.Column("set_at", Big, nullable=False),
        **STRICT,
    )
    op.execute(
        "INSERT INTO deadline (table_id, kind, revision, due_at, set_at)"
        " SELECT table_id, kind, revision, due_at, 0 FROM deadline_before"
    )
    op.drop_table("deadline_before")
    op.create_index("ix_deadline_due", "deadline", ["due_at", "table_id", "kind"])
