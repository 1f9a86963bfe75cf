"""The tables of puzzles: the stock of puzzles, who answered what, and how strong people are at it."""

from pydantic import TypeAdapter
from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Table

from data.dialect import COUNTED, STRICT, Big, Real, Text, is_flag, is_json, partial_index
from data.schema.columns import Flag, Json
from data.schema.core import metadata
from marriage.puzzles import Puzzle

puzzle = Table(
    "puzzle",
    metadata,
    Column("id", Big, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("goes_on", Flag, nullable=False),
    Column("seat", Big, nullable=False),
    Column("position", Text, nullable=False),
    Column("puzzle", Json(TypeAdapter(Puzzle), "a puzzle"), nullable=False),
    Column("source", Text, nullable=False),
    Column("person_id", Big, ForeignKey("person.id")),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("answers", Big, nullable=False),
    Column("correct", Big, nullable=False),
    Column("made_at", Big, nullable=False),
    Column("day", Text),
    CheckConstraint("kind IN ('card', 'sets', 'finish')"),
    is_flag("goes_on"),
    is_json("puzzle"),
    **COUNTED,
)
Index("ux_puzzle_source", puzzle.c.source, unique=True)
partial_index("ux_puzzle_day", puzzle.c.day, where=puzzle.c.day.is_not(None), unique=True)
partial_index("ix_puzzle_person", puzzle.c.person_id, where=puzzle.c.person_id.is_not(None))
partial_index("ix_puzzle_stock", puzzle.c.kind, puzzle.c.goes_on, where=puzzle.c.day.is_(None))

puzzle_answer = Table(
    "puzzle_answer",
    metadata,
    Column("puzzle_id", Big, ForeignKey("puzzle.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("choice", Big, nullable=False),
    Column("correct", Flag, nullable=False),
    Column("gained", Big, nullable=False),
    Column("at", Big, nullable=False),
    Column("day", Text),
    Column("shared", Flag, nullable=False),
    is_flag("correct"),
    is_flag("shared"),
    **STRICT,
)
Index("ix_puzzle_answer_person", puzzle_answer.c.person_id)

puzzle_player = Table(
    "puzzle_player",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("answers", Big, nullable=False),
    Column("correct", Big, nullable=False),
    Column("offered", Big, ForeignKey("puzzle.id")),
    **STRICT,
)
