"""Puzzles, the answers of people, and the ratings of both."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    op.create_table(
        "puzzle",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("goes_on", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id")),
        sa.Column("mu", sa.REAL, nullable=False),
        sa.Column("sigma", sa.REAL, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("correct", sa.Integer, nullable=False),
        sa.Column("made_at", sa.Integer, nullable=False),
        sa.Column("day", sa.Text),
        sa.CheckConstraint("kind IN ('card', 'sets', 'finish')"),
        sa.CheckConstraint("goes_on IN (0, 1)"),
        sa.CheckConstraint("json_valid(puzzle)"),
        **STRICT,
        sqlite_autoincrement=True,
    )
    op.create_index("ux_puzzle_source", "puzzle", ["source"], unique=True)
    of_a_day, in_stock = sa.text("day IS NOT NULL"), sa.text("day IS NULL")
    op.create_index("ux_puzzle_day", "puzzle", ["day"], unique=True, sqlite_where=of_a_day)
    of_people = sa.text("person_id IS NOT NULL")
    op.create_index("ix_puzzle_person", "puzzle", ["person_id"], sqlite_where=of_people)
    op.create_index("ix_puzzle_stock", "puzzle", ["kind", "goes_on"], sqlite_where=in_stock)
    op.create_table(
        "puzzle_answer",
        sa.Column("puzzle_id", sa.Integer, sa.ForeignKey("puzzle.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("correct", sa.Integer, nullable=False),
        sa.Column("gained", sa.Integer, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("day", sa.Text),
        sa.Column("shared", sa.Integer, nullable=False),
        sa.CheckConstraint("correct IN (0, 1)"),
        sa.CheckConstraint("shared IN (0, 1)"),
        **STRICT,
    )
    op.create_index("ix_puzzle_answer_person", "puzzle_answer", ["person_id"])
    op.create_table(
        "puzzle_player",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("mu", sa.REAL, nullable=False),
        sa.Column("sigma", sa.REAL, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("correct", sa.Integer, nullable=False),
        sa.Column("offered", sa.Integer, sa.ForeignKey("puzzle.id")),
        **STRICT,
    )
