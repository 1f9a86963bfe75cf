"""The tables of forgetting: limits under a keyed digest of the id, and where public messages are."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Table

from data.dialect import COUNTED, STRICT, Big, Text
from data.schema.core import metadata

person_limit = Table(
    "person_limit",
    metadata,
    Column("id", Big, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", Big, nullable=False),
    Column("until", Big),
    CheckConstraint("kind IN ('table', 'challenge', 'daily', 'block', 'season')"),
    CheckConstraint("until IS NOT NULL OR kind IN ('block', 'season')"),
    **COUNTED,
)
Index("ix_person_limit_digest", person_limit.c.digest, person_limit.c.kind)
Index("ix_person_limit_until", person_limit.c.until)

public_message = Table(
    "public_message",
    metadata,
    Column("message_id", Big, primary_key=True, autoincrement=False),
    Column("channel_id", Big, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", Big, nullable=False),
    CheckConstraint("kind IN ('day', 'score')"),
    **STRICT,
)
Index("ix_public_message_about", public_message.c.kind, public_message.c.about)

week_post = Table(
    "week_post",
    metadata,
    Column("message_id", Big, primary_key=True, autoincrement=False),
    Column("channel_id", Big, nullable=False),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("monday", Big, nullable=False),
    Column("week", Text, nullable=False),
    **STRICT,
)
Index("ix_week_post_guild", week_post.c.guild_id, week_post.c.week)
