"""Record which requests to be forgotten the database contains, and whom an act of the staff concerns. Allow more kinds of limits.

What a restored backup lacks is then known without comparing times.
"""

import sqlalchemy as sa
from alembic import op

from data.dialect import COUNTED, STRICT, Big, Text

revision = "0024"
down_revision = "0023"

_KINDS = "kind IN ('table', 'challenge', 'daily', 'puzzle', 'block', 'invite', 'season', 'ban', 'erasure', 'entry', 'proposal')"
_ENDS = "until IS NOT NULL OR kind IN ('block', 'invite', 'season', 'ban')"


def upgrade() -> None:
    op.create_table("erasure", sa.Column("mark", Text, primary_key=True), **STRICT)
    if op.get_bind().dialect.name != "sqlite":
        op.add_column("staff_act", sa.Column("target_id", Big, sa.ForeignKey("person.id")))
        op.drop_constraint("person_limit_kind_check", "person_limit")
        op.create_check_constraint("person_limit_kind_check", "person_limit", _KINDS)
        op.drop_constraint("person_limit_check", "person_limit")
        op.create_check_constraint("person_limit_check", "person_limit", _ENDS)
        op.create_index("ix_person_limit_about", "person_limit", ["about", "kind"])
        return
    op.execute("ALTER TABLE person_limit RENAME TO person_limit_before")
    op.create_table(
        "person_limit",
        sa.Column("id", Big, primary_key=True),
        sa.Column("digest", Text, nullable=False),
        sa.Column("kind", Text, nullable=False),
        sa.Column("about", Big, nullable=False),
        sa.Column("until", Big),
        sa.CheckConstraint(_KINDS),
        sa.CheckConstraint(_ENDS),
        **COUNTED,
    )
    op.execute("INSERT INTO person_limit SELECT id, digest, kind, about, until FROM person_limit_before")
    op.drop_table("person_limit_before")
    op.create_index("ix_person_limit_digest", "person_limit", ["digest", "kind"])
    op.create_index("ix_person_limit_until", "person_limit", ["until"])
    op.create_index("ix_person_limit_about", "person_limit", ["about", "kind"])
    op.execute("ALTER TABLE staff_act RENAME TO staff_act_before")
    op.create_table(
        "staff_act",
        sa.Column("id", Big, primary_key=True),
        sa.Column("guild_id", Big, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("table_id", Big, sa.ForeignKey("game_table.id")),
        sa.Column("person_id", Big, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("act", Text, nullable=False),
        sa.Column("reason", Text, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.Column("target_id", Big, sa.ForeignKey("person.id")),
        **COUNTED,
    )
    op.execute(
        "INSERT INTO staff_act (id, guild_id, table_id, person_id, act, reason, at)"
        " SELECT id, guild_id, table_id, person_id, act, reason, at FROM staff_act_before"
    )
    op.drop_table("staff_act_before")
    op.create_index("ix_staff_act_guild", "staff_act", ["guild_id", "at"])
