"""Order deadlines by their index, so that many of the same time need no sorting."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.drop_index("ix_deadline_due", table_name="deadline")
    op.create_index("ix_deadline_due", "deadline", ["due_at", "table_id", "kind"])
