"""The first schema. It has no step: `data.migrating.create` gives a new database the newest tables.

Every later schema is a step from the previous one.
"""

revision = "0017"
down_revision = None


def upgrade() -> None:
    """Do nothing: no older file can be migrated to this schema."""
    raise AssertionError("a database without tables is created, not migrated")
