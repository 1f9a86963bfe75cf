"""The tables of the record, as the first schema has them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

STRICT: dict[str, Any] = {"sqlite_strict": True}
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}


def create_records() -> None:
    """What statistics, boards and achievements are read from."""
    op.create_table(
        "played",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.Integer, nullable=False),
        sa.Column("deal_no", sa.Integer, nullable=False),
        sa.Column("match_no", sa.Integer),
        sa.Column("match_deal", sa.Integer),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("channel_id", sa.Integer, nullable=False),
        sa.Column("private", sa.Integer, nullable=False),
        sa.Column("preset", sa.Text, nullable=False),
        sa.Column("variations", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("ending", sa.Text, nullable=False),
        sa.Column("stopped", sa.Integer, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.Column("started_at", sa.Integer, nullable=False),
        sa.Column("ended_at", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
        sa.CheckConstraint("private IN (0, 1)"),
        sa.CheckConstraint("stopped IN (0, 1)"),
        sa.CheckConstraint("rated IN (0, 1)"),
        sa.CheckConstraint("ending IN ('groups', 'dublees', 'dismissed')"),
        **COUNTED,
    )
    op.create_index("ux_played_deal", "played", ["table_id", "deal_no"], unique=True)
    op.create_index("ix_played_guild", "played", ["guild_id", "number"])
    op.create_table(
        "played_seat",
        sa.Column("number", sa.Integer, sa.ForeignKey("played.number"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("net", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("standing", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("shown", sa.Text),
        sa.Column("shown_turn", sa.Integer),
        sa.Column("one_turn", sa.Integer, nullable=False),
        sa.Column("tunnelas", sa.Integer, nullable=False),
        sa.Column("marriages", sa.Integer, nullable=False),
        sa.Column("tiplus", sa.Integer, nullable=False),
        sa.Column("stand_in", sa.Text),
        sa.CheckConstraint("winner IN (0, 1)"),
        sa.CheckConstraint("status IN ('seen', 'unseen', 'foul')"),
        sa.CheckConstraint("shown IN ('groups', 'dublees')"),
        sa.CheckConstraint("one_turn IN (0, 1)"),
        sa.CheckConstraint("stand_in IN ('whole', 'part', 'back')"),
        **STRICT,
    )
    op.create_index("ix_played_seat_person", "played_seat", ["person_id", "number"])
    op.create_table(
        "rating",
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("mu", sa.REAL, nullable=False),
        sa.Column("sigma", sa.REAL, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer),
        **STRICT,
    )
    op.create_index("ix_rating_person", "rating", ["person_id"])
    op.create_table(
        "rating_met",
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("other_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        **STRICT,
    )
    op.create_index("ix_rating_met_person", "rating_met", ["person_id"])
    op.create_index("ix_rating_met_other", "rating_met", ["other_id"])
    op.create_table(
        "tally",
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("period", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("dublees", sa.Integer, nullable=False),
        sa.Column("net", sa.Integer, nullable=False),
        sa.Column("squares", sa.Integer, nullable=False),
        sa.Column("maal", sa.Integer, nullable=False),
        **STRICT,
    )
    op.create_index("ix_tally_person", "tally", ["person_id"])
    op.create_table(
        "estimated",
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("span", sa.Text, primary_key=True),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("par", sa.REAL, nullable=False),
        sa.CheckConstraint("span IN ('week', 'month', 'all')"),
        **STRICT,
    )
    op.create_table(
        "estimate",
        sa.Column("guild_id", sa.Integer, primary_key=True),
        sa.Column("span", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("value", sa.REAL, nullable=False),
        sa.Column("error", sa.REAL, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["guild_id", "span"], ["estimated.guild_id", "estimated.span"]),
        **STRICT,
    )
    op.create_index("ix_estimate_person", "estimate", ["person_id"])
    op.create_table(
        "career",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("wins_running", sa.Integer, nullable=False),
        sa.Column("behind_table", sa.Integer),
        sa.Column("behind_match", sa.Integer),
        **STRICT,
    )
    op.create_table(
        "achieved",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("achievement", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Integer, nullable=False),
        sa.Column("deal_no", sa.Integer, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
        **STRICT,
    )
    op.create_index("ix_achieved_deal", "achieved", ["table_id", "deal_no"])
