"""The tables of boards: deals played with the same cards at several tables (see `marriage.duplicate_board`)."""

from pydantic import TypeAdapter
from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, LargeBinary, Table

from data.dialect import COUNTED, STRICT, Big, Text, is_flag, is_json, partial_index
from data.schema.columns import Flag, Json
from data.schema.core import metadata
from marriage.rules import Rules

board_set = Table(
    "board_set",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("day", Text),
    Column("rules", Json(TypeAdapter(Rules), "rules"), nullable=False),
    Column("seats", Big, nullable=False),
    Column("opened_at", Big, nullable=False),
    Column("closes_at", Big),
    Column("released_at", Big),
    is_json("rules"),
    CheckConstraint("(day IS NULL) = (closes_at IS NULL)"),
    **COUNTED,
)
Index("ix_board_set_day", board_set.c.guild_id, board_set.c.day)
partial_index("ix_board_set_sealed", board_set.c.id, where=board_set.c.released_at.is_(None))

board = Table(
    "board",
    metadata,
    Column("set_id", Big, ForeignKey("board_set.id"), primary_key=True),
    Column("number", Big, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("entropy", Json(TypeAdapter(list[str]), "entropy"), nullable=False),
    is_json("entropy"),
    **STRICT,
)

board_table = Table(
    "board_table",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("set_id", Big, ForeignKey("board_set.id"), nullable=False),
    Column("place", Big, nullable=False),
    Column("done", Flag, nullable=False),
    is_flag("done"),
    **STRICT,
)
Index("ux_board_table_place", board_table.c.set_id, board_table.c.place, unique=True)

daily_try = Table(
    "daily_try",
    metadata,
    Column("set_id", Big, ForeignKey("board_set.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("table_id", Big, ForeignKey("game_table.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("net", Big),
    Column("finished", Flag),
    is_flag("finished"),
    CheckConstraint("(net IS NULL) = (finished IS NULL)"),
    **STRICT,
)
Index("ux_daily_try_table", daily_try.c.table_id, unique=True)
Index("ix_daily_try_person", daily_try.c.person_id)
