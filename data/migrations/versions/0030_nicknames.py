"""Store the nickname of a person in each server apart. The name so far stays as the general one until their next press."""

import sqlalchemy as sa
from alembic import op

from data.dialect import OF_PERSON, Big, Text

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "nickname",
        sa.Column("person_id", Big, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("guild_id", Big, primary_key=True),
        sa.Column("name", Text, nullable=False),
        sa.Column("since", Big, nullable=False),
        **OF_PERSON,
    )
