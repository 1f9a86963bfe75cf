"""The first schema. There is no step to it: a new database is given the newest tables at once (`data.migrating.create`).

Every later schema is a step from the one before.
"""

revision = "0017"
down_revision = None


def upgrade() -> None:
    """Nothing leads here from an older file."""
    raise AssertionError("a database without tables is created, not migrated")
