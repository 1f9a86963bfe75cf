"""Sums of the finished deals that grow with each deal, and indexes with which no look reads them all."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    _tables()
    _seats()
    _blocks()
    _meetings()
    _attendances()
    op.create_index("ix_played_ended", "played", ["guild_id", "ended_at"])
    op.drop_index("ix_tally_person", "tally")
    op.create_index("ix_tally_person", "tally", ["person_id", "period"])


def _tables() -> None:
    is_open = sa.text("closed_at IS NULL")
    op.create_index("ix_game_table_guild", "game_table", ["guild_id"], sqlite_where=is_open)
    op.create_index("ix_game_table_channel", "game_table", ["channel_id"])
    op.create_index("ix_game_table_thread", "game_table", ["thread_id"])
    op.create_index("ix_game_table_host", "game_table", ["host_id"])
    op.create_index("ix_game_table_opener", "game_table", ["opened_by"])
    op.create_index("ix_board_set_sealed", "board_set", ["id"], sqlite_where=sa.text("released_at IS NULL"))


def _seats() -> None:
    """Each seat of a finished deal knows its server, and whether the deal is rated."""
    op.drop_index("ix_played_seat_person", "played_seat")
    op.execute("ALTER TABLE played_seat RENAME TO played_seat_before")
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
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.CheckConstraint("winner IN (0, 1)"),
        sa.CheckConstraint("rated IN (0, 1)"),
        sa.CheckConstraint("status IN ('seen', 'unseen', 'foul')"),
        sa.CheckConstraint("shown IN ('groups', 'dublees')"),
        sa.CheckConstraint("one_turn IN (0, 1)"),
        sa.CheckConstraint("stand_in IN ('whole', 'part', 'back')"),
        **STRICT,
    )
    op.execute(
        "INSERT INTO played_seat SELECT seat.*, played.guild_id, played.rated FROM played_seat_before AS seat"
        " CROSS JOIN played ON played.number = seat.number ORDER BY seat.rowid"
    )
    op.drop_table("played_seat_before")
    op.create_index(
        "ix_played_seat_person", "played_seat", ["person_id", "guild_id", "number", "rated", "net"]
    )


def _blocks() -> None:
    """How many public deals of each 4096 numbers a channel has."""
    op.create_table(
        "played_block",
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("block", sa.Integer, primary_key=True),
        sa.Column("channel_id", sa.Integer, primary_key=True),
        sa.Column("preset", sa.Text, primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("first_at", sa.Integer, nullable=False),
        sa.Column("last_at", sa.Integer, nullable=False),
        **STRICT,
    )
    op.execute(
        "INSERT INTO played_block SELECT guild_id, number / 4096, channel_id, preset, count(*),"
        " min(ended_at), max(ended_at) FROM played WHERE NOT private GROUP BY 1, 2, 3, 4"
    )


def _meetings() -> None:
    """What came of everybody's rated deals with everybody else."""
    op.create_table(
        "meeting",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("other_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("deals", "ahead", "behind", "net")),
        **STRICT,
    )
    op.execute(
        "INSERT INTO meeting SELECT seat.person_id, seat.guild_id, other.person_id, count(*),"
        " sum(seat.place < other.place), sum(seat.place > other.place), sum(seat.net) FROM played_seat AS seat"
        " CROSS JOIN played_seat AS other ON other.number = seat.number AND other.seat <> seat.seat"
        " WHERE seat.rated GROUP BY 1, 2, 3"
    )
    op.create_index("ix_meeting_other", "meeting", ["other_id"])


def _attendances() -> None:
    """How many deals and matches everybody has played, and since when."""
    op.create_table(
        "attendance",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("since", sa.Integer),
        **STRICT,
    )
    op.execute(
        "INSERT INTO attendance SELECT seat.person_id, seat.guild_id, count(*),"
        " count(DISTINCT CASE WHEN seat.rated THEN played.table_id * 1000000 + played.match_no END),"
        " min(CASE WHEN seat.rated THEN played.ended_at END)"
        " FROM played_seat AS seat CROSS JOIN played ON played.number = seat.number"
        " WHERE seat.person_id IS NOT NULL AND seat.stand_in IS NOT 'whole' GROUP BY 1, 2"
    )
