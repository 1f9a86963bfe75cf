"""What a season is still to say waits in the outbox; where its messages are stays with the season."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    # Tried before, or asked for before this start: an attempt may have arrived, as ever.
    op.execute(
        "INSERT INTO outbox (subject, about, kind, name, revision, attempts, queued_at, not_before)"
        " SELECT 'season', season,"
        " CASE WHEN player IS NOT NULL THEN 'reminder' WHEN key LIKE 'event:%' THEN 'event' ELSE 'post' END,"
        " CASE WHEN player IS NOT NULL THEN 'reminder:' || player || ':' || key"
        " WHEN key LIKE 'event:%' THEN key ELSE 'post:' || key END,"
        " wanted - shown, attempts, not_before, not_before FROM season_post WHERE wanted > shown"
        " ORDER BY season, not_before, key"
    )
    op.drop_index("ix_season_post_due", "season_post")
    for column in ("wanted", "attempts", "not_before"):
        op.drop_column("season_post", column)
