"""Let the requests that wait to add a player to a table's thread name the person instead of the seat."""

from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.execute(
        "INSERT INTO outbox (subject, about, kind, name, revision, attempts, queued_at, not_before, error)"
        " SELECT subject, about, 'access', 'access:' || person_id, revision, attempts, queued_at, not_before, error"
        " FROM outbox JOIN seat ON seat.table_id = outbox.about AND seat.seat = outbox.seat"
        " WHERE kind = 'member' AND done_at IS NULL AND person_id IS NOT NULL"
        " ON CONFLICT DO NOTHING"
    )
    op.execute("DELETE FROM outbox WHERE kind = 'member'")
