"""Store what ruled fouls gave and cost each seat, so that leaderboards and ratings can leave it out."""

import sqlalchemy as sa
from alembic import op

from data.dialect import STRICT, Big, Flag, Text, is_flag

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.add_column("played_seat", sa.Column("ruled", Big, nullable=False, server_default="0"))
        op.alter_column("played_seat", "ruled", server_default=None)
        op.drop_index("ix_played_seat_person", "played_seat")
        _create_index()
        return
    op.execute("ALTER TABLE played_seat RENAME TO played_seat_before")
    op.create_table(
        "played_seat",
        sa.Column("number", Big, sa.ForeignKey("played.number"), primary_key=True),
        sa.Column("seat", Big, primary_key=True),
        sa.Column("person_id", Big, sa.ForeignKey("person.id")),
        sa.Column("name", Text, nullable=False),
        sa.Column("net", Big, nullable=False),
        sa.Column("points", Big, nullable=False),
        sa.Column("place", Big, nullable=False),
        sa.Column("standing", Big, nullable=False),
        sa.Column("winner", Flag, nullable=False),
        sa.Column("status", Text, nullable=False),
        sa.Column("shown", Text),
        sa.Column("shown_turn", Big),
        sa.Column("one_turn", Flag, nullable=False),
        sa.Column("tunnelas", Big, nullable=False),
        sa.Column("marriages", Big, nullable=False),
        sa.Column("tiplus", Big, nullable=False),
        sa.Column("stand_in", Text),
        sa.Column("guild_id", Big, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("rated", Flag, nullable=False),
        sa.Column("ruled", Big, nullable=False),
        is_flag("winner"),
        is_flag("rated"),
        sa.CheckConstraint("status IN ('seen', 'unseen', 'foul')"),
        sa.CheckConstraint("shown IN ('groups', 'dublees')"),
        is_flag("one_turn"),
        sa.CheckConstraint("stand_in IN ('whole', 'part', 'back')"),
        **STRICT,
    )
    op.execute(
        "INSERT INTO played_seat (number, seat, person_id, name, net, points, place, standing, winner, status, shown,"
        " shown_turn, one_turn, tunnelas, marriages, tiplus, stand_in, guild_id, rated, ruled)"
        " SELECT number, seat, person_id, name, net, points, place, standing, winner, status, shown,"
        " shown_turn, one_turn, tunnelas, marriages, tiplus, stand_in, guild_id, rated, 0 FROM played_seat_before"
    )
    op.drop_table("played_seat_before")
    _create_index()


def _create_index() -> None:
    columns = ["person_id", "guild_id", "number", "rated", "net", "ruled"]
    op.create_index("ix_played_seat_person", "played_seat", columns)
