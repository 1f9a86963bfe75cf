"""Store the channels of direct messages, so that none has to be opened again."""

import sqlalchemy as sa
from alembic import op

from data.dialect import STRICT, Big

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "direct_channel",
        sa.Column("person_id", Big, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("channel_id", Big, nullable=False),
        **STRICT,
    )
