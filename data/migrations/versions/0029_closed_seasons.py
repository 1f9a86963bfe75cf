"""Look once more at closed seasons that have left a table in its lobby, where nothing can begin: looked at, they close it."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.execute(
        "UPDATE season SET due_at = closed_at WHERE closed_at IS NOT NULL AND due_at IS NULL AND EXISTS"
        " (SELECT 1 FROM pod_table JOIN game_table ON game_table.id = pod_table.table_id"
        " WHERE pod_table.season = season.id AND game_table.status = 'lobby')"
    )
