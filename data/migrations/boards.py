"""The tables of boards, as the first schema has them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

STRICT: dict[str, Any] = {"sqlite_strict": True}
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}


def create_boards() -> None:
    """Deals that are played at several tables, and the deal of the day."""
    op.create_index("ix_deal_board", "deal", ["board_set"], sqlite_where=sa.text("board_set IS NOT NULL"))
    op.create_table(
        "board_set",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("day", sa.Text),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("opened_at", sa.Integer, nullable=False),
        sa.Column("closes_at", sa.Integer),
        sa.Column("released_at", sa.Integer),
        sa.CheckConstraint("json_valid(rules)"),
        sa.CheckConstraint("(day IS NULL) = (closes_at IS NULL)"),
        **COUNTED,
    )
    op.create_index("ix_board_set_day", "board_set", ["guild_id", "day"])
    op.create_table(
        "board",
        sa.Column("set_id", sa.Integer, sa.ForeignKey("board_set.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("entropy", sa.Text, nullable=False),
        sa.CheckConstraint("json_valid(entropy)"),
        **STRICT,
    )
    op.create_table(
        "board_table",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("set_id", sa.Integer, sa.ForeignKey("board_set.id"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.CheckConstraint("done IN (0, 1)"),
        **STRICT,
    )
    op.create_index("ux_board_table_place", "board_table", ["set_id", "place"], unique=True)
    op.create_table(
        "daily_try",
        sa.Column("set_id", sa.Integer, sa.ForeignKey("board_set.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("net", sa.Integer),
        sa.Column("finished", sa.Integer),
        sa.CheckConstraint("finished IN (0, 1)"),
        sa.CheckConstraint("(net IS NULL) = (finished IS NULL)"),
        **STRICT,
    )
    op.create_index("ux_daily_try_table", "daily_try", ["table_id"], unique=True)
    op.create_index("ix_daily_try_person", "daily_try", ["person_id"])
