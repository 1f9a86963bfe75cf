"""The tables of statistics: finished deals for searching, figures of all deals, and analyses.

Everything below `played_seat` is derived from the first two tables; `python -m bot recompute` recomputes it.
The indexes of a person's and a server's deals cover all queries over many deals, so that counting reads no
rows.
"""

from sqlalchemy import CheckConstraint, Column, ForeignKey, ForeignKeyConstraint, Index, Table

from data.dialect import COUNTED, OF_PERSON, STRICT, Big, Flag, Json, Real, Text, is_flag, is_json
from data.schema.core import metadata
from marriage.analysis.deal_analysis import ANALYSIS

played = Table(
    "played",
    metadata,
    Column("number", Big, primary_key=True),
    Column("table_id", Big, nullable=False),
    Column("deal_no", Big, nullable=False),
    Column("match_no", Big),
    Column("match_deal", Big),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("channel_id", Big, nullable=False),
    Column("private", Flag, nullable=False),
    Column("preset", Text, nullable=False),
    Column("variations", Big, nullable=False),
    Column("seats", Big, nullable=False),
    Column("ending", Text, nullable=False),
    Column("stopped", Flag, nullable=False),
    Column("rated", Flag, nullable=False),
    Column("started_at", Big, nullable=False),
    Column("ended_at", Big, nullable=False),
    ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
    is_flag("private"),
    is_flag("stopped"),
    is_flag("rated"),
    CheckConstraint("ending IN ('groups', 'dublees', 'dismissed')"),
    **COUNTED,
)
Index("ux_played_deal", played.c.table_id, played.c.deal_no, unique=True)
Index("ix_played_guild", played.c.guild_id, played.c.number)
Index("ix_played_ended", played.c.guild_id, played.c.ended_at)

played_seat = Table(
    "played_seat",
    metadata,
    Column("number", Big, ForeignKey("played.number"), primary_key=True),
    Column("seat", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id")),
    Column("name", Text, nullable=False),
    Column("net", Big, nullable=False),
    Column("points", Big, nullable=False),
    Column("place", Big, nullable=False),
    Column("standing", Big, nullable=False),
    Column("winner", Flag, nullable=False),
    Column("status", Text, nullable=False),
    Column("shown", Text),
    Column("shown_turn", Big),
    Column("one_turn", Flag, nullable=False),
    Column("tunnelas", Big, nullable=False),
    Column("marriages", Big, nullable=False),
    Column("tiplus", Big, nullable=False),
    Column("stand_in", Text),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("rated", Flag, nullable=False),
    Column("ruled", Big, nullable=False),
    is_flag("winner"),
    is_flag("rated"),
    CheckConstraint("status IN ('seen', 'unseen', 'foul')"),
    CheckConstraint("shown IN ('groups', 'dublees')"),
    is_flag("one_turn"),
    CheckConstraint("stand_in IN ('whole', 'part', 'back')"),
    **STRICT,
)
Index(
    "ix_played_seat_person",
    played_seat.c.person_id,
    played_seat.c.guild_id,
    played_seat.c.number,
    played_seat.c.rated,
    played_seat.c.net,
    played_seat.c.ruled,
)

BLOCK = 4096
"""Deals whose numbers differ only in the last 12 bits are counted together."""

played_block = Table(
    "played_block",
    metadata,
    Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
    Column("block", Big, primary_key=True),
    Column("channel_id", Big, primary_key=True),
    Column("preset", Text, primary_key=True),
    Column("deals", Big, nullable=False),
    Column("first_at", Big, nullable=False),
    Column("last_at", Big, nullable=False),
    **STRICT,
)

meeting = Table(
    "meeting",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
    Column("other_id", Big, ForeignKey("person.id"), primary_key=True),
    *(Column(name, Big, nullable=False) for name in ("deals", "ahead", "behind", "net")),
    **STRICT,
)
Index("ix_meeting_other", meeting.c.other_id)

attendance = Table(
    "attendance",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
    Column("deals", Big, nullable=False),
    Column("matches", Big, nullable=False),
    Column("since", Big),
    **STRICT,
)

rating = Table(
    "rating",
    metadata,
    Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("deals", Big, nullable=False),
    Column("last", Big),
    **STRICT,
)
Index("ix_rating_person", rating.c.person_id)

rating_met = Table(
    "rating_met",
    metadata,
    Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("other_id", Big, ForeignKey("person.id"), primary_key=True),
    **STRICT,
)
Index("ix_rating_met_person", rating_met.c.person_id)
Index("ix_rating_met_other", rating_met.c.other_id)


def _tally(name: str) -> Table:
    """Return a table of everyone's sums of deals by server and period."""
    table = Table(
        name,
        metadata,
        Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
        Column("period", Text, primary_key=True),
        Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
        *(
            Column(figure, Big, nullable=False)
            for figure in ("deals", "wins", "seen", "dublees", "net", "squares", "maal")
        ),
        **STRICT,
    )
    Index(f"ix_{name}_person", table.c.person_id, table.c.period)
    return table


tally = _tally("tally")
"""The sums of deals that ratings count."""
computer_tally = _tally("computer_tally")
"""The sums of deals with computers, which ratings leave out."""

estimated = Table(
    "estimated",
    metadata,
    Column("guild_id", Big, ForeignKey("guild.id"), primary_key=True),
    Column("span", Text, primary_key=True),
    Column("since", Big, nullable=False),
    Column("number", Big, nullable=False),
    Column("at", Big, nullable=False),
    Column("deals", Big, nullable=False),
    Column("par", Real, nullable=False),
    CheckConstraint("span IN ('week', 'month', 'all')"),
    **STRICT,
)

estimate = Table(
    "estimate",
    metadata,
    Column("guild_id", Big, primary_key=True),
    Column("span", Text, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("value", Real, nullable=False),
    Column("error", Real, nullable=False),
    Column("deals", Big, nullable=False),
    ForeignKeyConstraint(["guild_id", "span"], ["estimated.guild_id", "estimated.span"]),
    **STRICT,
)
Index("ix_estimate_person", estimate.c.person_id)

career = Table(
    "career",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("deals", Big, nullable=False),
    Column("wins_running", Big, nullable=False),
    Column("behind_table", Big),
    Column("behind_match", Big),
    Column("days", Big, nullable=False),
    Column("last_day", Big),
    Column("days_running", Big, nullable=False),
    Column("most_running", Big, nullable=False),
    **OF_PERSON,
)

achieved = Table(
    "achieved",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("achievement", Text, primary_key=True),
    Column("table_id", Big, nullable=False),
    Column("deal_no", Big, nullable=False),
    Column("at", Big, nullable=False),
    ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
    **STRICT,
)
Index("ix_achieved_deal", achieved.c.table_id, achieved.c.deal_no)


analysis = Table(
    "analysis",
    metadata,
    Column("table_id", Big, primary_key=True),
    Column("deal_no", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("version", Big, nullable=False),
    Column("analysis", Json(ANALYSIS, "an analysis"), nullable=False),
    Column("at", Big, nullable=False),
    Column("accuracy", Real),
    Column("lost", Real, nullable=False),
    ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
    is_json("analysis"),
    **STRICT,
)
Index("ix_analysis_person", analysis.c.person_id, analysis.c.at)
