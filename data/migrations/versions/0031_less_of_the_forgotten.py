"""Forget where the direct messages of leagues are. Nothing edits them, and the channel of one identifies its reader."""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.execute("UPDATE season_post SET channel_id = NULL, message_id = NULL WHERE player IS NOT NULL")
