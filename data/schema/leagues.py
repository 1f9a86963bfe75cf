"""The tables of leagues: seasons, their events, and their messages.

Events name players by their own numbers, so that no Discord id is ever written into an event. `league_player`
maps numbers to people, and a person is forgotten there.
"""

from pydantic import TypeAdapter
from sqlalchemy import Column, ForeignKey, Index, LargeBinary, Table

from data.dialect import COUNTED, STRICT, Big, Flag, Json, Text, is_flag, is_json
from data.schema.core import RULES, metadata
from league.events import EVENT
from league.matches.times import Proposal

SEASON_EVENT_BODY = Json(EVENT, "an event of a season")
_PROPOSAL = Json(TypeAdapter(Proposal), "a time proposed to a pod")

league_player = Table(
    "league_player",
    metadata,
    Column("number", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), nullable=False),
    **COUNTED,
)
Index("ux_league_player_person", league_player.c.person_id, unique=True)

season = Table(
    "season",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("channel_id", Big, nullable=False),
    Column("name", Text, nullable=False),
    Column("number", Big, nullable=False),
    Column("former", Big, ForeignKey("season.id")),
    Column("rules", RULES, nullable=False),
    Column("pace", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("starts_at", Big, nullable=False),
    Column("acted_until", Big, nullable=False),
    Column("due_at", Big),
    Column("created_at", Big, nullable=False),
    Column("closed_at", Big),
    is_json("rules"),
    **COUNTED,
)
Index("ix_season_guild", season.c.guild_id, season.c.name)
Index("ix_season_due", season.c.due_at)

season_event = Table(
    "season_event",
    metadata,
    Column("id", Big, primary_key=True),
    Column("season", Big, ForeignKey("season.id"), nullable=False),
    Column("actor", Big, ForeignKey("league_player.number")),
    Column("at", Big, nullable=False),
    Column("reason", Text, nullable=False),
    Column("staff", Flag, nullable=False),
    Column("corrects", Big, ForeignKey("season_event.id")),
    Column("body", SEASON_EVENT_BODY, nullable=False),
    Column("checksum", Big, nullable=False),
    is_json("body"),
    is_flag("staff"),
    **COUNTED,
)
Index("ix_season_event_season", season_event.c.season, season_event.c.id)

pod_table = Table(
    "pod_table",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("season", Big, ForeignKey("season.id"), nullable=False),
    Column("pod", Big, nullable=False),
    **STRICT,
)
Index("ix_pod_table_pod", pod_table.c.season, pod_table.c.pod)

pod_time = Table(
    "pod_time",
    metadata,
    Column("season", Big, ForeignKey("season.id"), primary_key=True),
    Column("pod", Big, primary_key=True),
    Column("proposal", _PROPOSAL, nullable=False),
    Column("change", _PROPOSAL),
    is_json("proposal"),
    **STRICT,
)

season_draft = Table(
    "season_draft",
    metadata,
    Column("id", Big, primary_key=True),
    Column("season", Big, ForeignKey("season.id"), nullable=False),
    Column("actor", Big, ForeignKey("league_player.number"), nullable=False),
    Column("last", Big, nullable=False),
    Column("reason", Text, nullable=False),
    Column("corrects", Big, ForeignKey("season_event.id")),
    Column("body", SEASON_EVENT_BODY, nullable=False),
    is_json("body"),
    **COUNTED,
)
Index("ux_season_draft_actor", season_draft.c.season, season_draft.c.actor, unique=True)

season_post = Table(
    "season_post",
    metadata,
    Column("season", Big, ForeignKey("season.id"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("player", Big, ForeignKey("league_player.number")),
    Column("shown", Big, nullable=False),
    Column("channel_id", Big),
    Column("message_id", Big),
    **STRICT,
)
