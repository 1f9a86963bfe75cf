"""Limit how many home games a person opens, and find those that nobody has changed for long."""

import sqlalchemy as sa
from alembic import op

from data.dialect import COUNTED, Big, Text

revision = "0027"
down_revision = "0026"

_KINDS = "kind IN ('table', 'challenge', 'daily', 'puzzle', 'block', 'invite', 'season', 'ban', 'erasure', 'entry', 'proposal', 'home_game')"
_ENDS = "until IS NOT NULL OR kind IN ('block', 'invite', 'season', 'ban')"


def upgrade() -> None:
    op.create_index("ix_score_session_changed", "score_session", ["changed_at"])
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint("person_limit_kind_check", "person_limit")
        op.create_check_constraint("person_limit_kind_check", "person_limit", _KINDS)
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
