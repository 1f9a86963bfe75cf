"""Messages that are to be edited after somebody was forgotten wait in the outbox, as all others do."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute(
        "INSERT INTO outbox (subject, about, kind, name, revision, attempts, queued_at, not_before)"
        " SELECT CASE kind WHEN 'day' THEN 'board_set' WHEN 'score' THEN 'score_session' ELSE kind END, about,"
        " 'amend_' || kind, 'amend_' || kind || ':' || channel_id || ':' || message_id"
        " || CASE kind WHEN 'season' THEN ':' || key ELSE '' END,"
        " 1, attempts, not_before, not_before FROM amendment ORDER BY not_before, message_id"
    )
    op.drop_index("ix_amendment_due", "amendment")
    op.drop_table("amendment")
