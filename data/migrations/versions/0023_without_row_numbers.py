"""Key the tables of people by the id alone, so that SQLite keeps nothing of a deleted row.

A table with row numbers may keep the number of a deleted row as the boundary between two pages.
PostgreSQL needs no change.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from data.dialect import OF_PERSON, Big, Flag, Real, Text, is_flag, is_json

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    _rebuild(
        "person",
        sa.Column("id", Big, primary_key=True, autoincrement=False),
        sa.Column("name", Text, nullable=False),
        sa.Column("dms_open", Flag, nullable=False),
        sa.Column("updated_at", Big, nullable=False),
        sa.Column("settings", Text, nullable=False),
        sa.Column("revision", Big, nullable=False),
        is_flag("dms_open"),
        is_json("settings"),
    )
    _rebuild(
        "direct_channel",
        _person(),
        sa.Column("channel_id", Big, nullable=False),
    )
    _rebuild(
        "practice",
        _person(),
        sa.Column("revision", Big, nullable=False),
        sa.Column("events", Text, nullable=False),
        sa.Column("at", Big, nullable=False),
        is_json("events"),
    )
    _rebuild(
        "puzzle_player",
        _person(),
        sa.Column("mu", Real, nullable=False),
        sa.Column("sigma", Real, nullable=False),
        sa.Column("answers", Big, nullable=False),
        sa.Column("correct", Big, nullable=False),
        sa.Column("offered", Big, sa.ForeignKey("puzzle.id")),
    )
    _rebuild(
        "career",
        _person(),
        sa.Column("deals", Big, nullable=False),
        sa.Column("wins_running", Big, nullable=False),
        sa.Column("behind_table", Big),
        sa.Column("behind_match", Big),
        sa.Column("days", Big, nullable=False),
        sa.Column("last_day", Big),
        sa.Column("days_running", Big, nullable=False),
        sa.Column("most_running", Big, nullable=False),
    )


def _person() -> sa.Column[int]:
    return sa.Column("person_id", Big, sa.ForeignKey("person.id"), primary_key=True)


def _rebuild(name: str, *columns: sa.Column[Any] | sa.CheckConstraint) -> None:
    """Copy a table and give the copy its name.

    If the old table were renamed first, SQLite would rename it in the foreign keys of other tables, too.
    """
    copy = op.create_table(f"{name}_copy", *columns, **OF_PERSON)
    former = sa.Table(name, sa.MetaData(), *(sa.Column[Any](column.name) for column in copy.columns))
    op.execute(copy.insert().from_select([column.name for column in copy.columns], former.select()))
    op.drop_table(name)
    op.rename_table(f"{name}_copy", name)
