"""The tables of what outlives a person here: limits, kept under a keyed digest of the id for as long as they last."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, Text

from data.columns import Big
from data.schema import COUNTED, metadata

person_limit = Table(
    "person_limit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", Integer, nullable=False),
    Column("until", Big),
    CheckConstraint("kind IN ('table', 'challenge', 'daily', 'block', 'season')"),
    CheckConstraint("until IS NOT NULL OR kind IN ('block', 'season')"),
    **COUNTED,
)
Index("ix_person_limit_digest", person_limit.c.digest, person_limit.c.kind)
Index("ix_person_limit_until", person_limit.c.until)
