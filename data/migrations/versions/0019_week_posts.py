"""Where the weekly boards were posted: each is posted once, and edited when someone on it is forgotten."""

import sqlalchemy as sa
from alembic import op

from data.dialect import STRICT, Big, Text

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "week_post",
        sa.Column("message_id", Big, primary_key=True, autoincrement=False),
        sa.Column("channel_id", Big, nullable=False),
        sa.Column("guild_id", Big, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("monday", Big, nullable=False),
        sa.Column("week", Text, nullable=False),
        **STRICT,
    )
    op.create_index("ix_week_post_guild", "week_post", ["guild_id", "week"])
