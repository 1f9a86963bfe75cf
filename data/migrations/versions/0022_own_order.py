"""Store a hand's own order next to its own groups."""

import sqlalchemy as sa
from alembic import op

from data.dialect import STRICT, Big, Text, is_json

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.execute("ALTER TABLE pinned RENAME TO pinned_before")
    op.create_table(
        "pinned",
        sa.Column("table_id", Big, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("person_id", Big, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("deal_no", Big, nullable=False),
        sa.Column("groups", Text, nullable=False),
        sa.Column("own_order", Text, nullable=False),
        is_json("groups"),
        is_json("own_order"),
        **STRICT,
    )
    op.execute(
        "INSERT INTO pinned (table_id, person_id, deal_no, groups, own_order)"
        " SELECT table_id, person_id, deal_no, groups, '[]' FROM pinned_before"
    )
    op.drop_table("pinned_before")
    op.create_index("ix_pinned_person", "pinned", ["person_id"])
