"""Forget where the direct messages of leagues are, and store since when a nickname is known.

Nothing edits those messages, and the channel of one identifies its reader. Nicknames from before count as known for ever.
"""

import sqlalchemy as sa
from alembic import op

from data.dialect import OF_PERSON, Big, Text

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.execute("UPDATE season_post SET channel_id = NULL, message_id = NULL WHERE player IS NOT NULL")
    op.execute("ALTER TABLE nickname RENAME TO nickname_before")
    op.create_table(
        "nickname",
        sa.Column("person_id", Big, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("guild_id", Big, primary_key=True),
        sa.Column("name", Text, nullable=False),
        sa.Column("since", Big, nullable=False),
        **OF_PERSON,
    )
    op.execute("INSERT INTO nickname SELECT person_id, guild_id, name, 0 FROM nickname_before")
    op.drop_table("nickname_before")
