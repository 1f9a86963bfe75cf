"""The part of the first schema that is of the leagues."""

from typing import Any

import sqlalchemy as sa
from alembic import op

STRICT: dict[str, Any] = {"sqlite_strict": True}
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}


def create_leagues() -> None:
    """Seasons, their events, and what is to be said of them."""
    op.create_table(
        "league_player",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        **COUNTED,
    )
    op.create_index("ux_league_player_person", "league_player", ["person_id"], unique=True)
    op.create_table(
        "season",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("channel_id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("former", sa.Integer, sa.ForeignKey("season.id")),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("pace", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("starts_at", sa.Integer, nullable=False),
        sa.Column("acted_until", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Integer),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.Column("closed_at", sa.Integer),
        sa.CheckConstraint("json_valid(rules)"),
        **COUNTED,
    )
    op.create_index("ix_season_guild", "season", ["guild_id", "name"])
    op.create_index("ix_season_due", "season", ["due_at"])
    op.create_table(
        "season_event",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("season", sa.Integer, sa.ForeignKey("season.id"), nullable=False),
        sa.Column("actor", sa.Integer, sa.ForeignKey("league_player.number")),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("staff", sa.Integer, nullable=False),
        sa.Column("corrects", sa.Integer, sa.ForeignKey("season_event.id")),
        sa.Column("body", sa.Text, nullable=False),
        sa.CheckConstraint("json_valid(body)"),
        sa.CheckConstraint("staff IN (0, 1)"),
        **COUNTED,
    )
    op.create_index("ix_season_event_season", "season_event", ["season", "id"])
    _pods()


def _pods() -> None:
    """The tables and times of pods, and the messages of seasons."""
    op.create_table(
        "pod_table",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("season", sa.Integer, sa.ForeignKey("season.id"), nullable=False),
        sa.Column("pod", sa.Integer, nullable=False),
        **STRICT,
    )
    op.create_index("ix_pod_table_pod", "pod_table", ["season", "pod"])
    op.create_table(
        "pod_time",
        sa.Column("season", sa.Integer, sa.ForeignKey("season.id"), primary_key=True),
        sa.Column("pod", sa.Integer, primary_key=True),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("agreed", sa.Text, nullable=False),
        sa.CheckConstraint("json_valid(agreed)"),
        **STRICT,
    )
    op.create_table(
        "season_draft",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("season", sa.Integer, sa.ForeignKey("season.id"), nullable=False),
        sa.Column("actor", sa.Integer, sa.ForeignKey("league_player.number"), nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("corrects", sa.Integer, sa.ForeignKey("season_event.id")),
        sa.Column("body", sa.Text, nullable=False),
        sa.CheckConstraint("json_valid(body)"),
        **COUNTED,
    )
    op.create_index("ux_season_draft_actor", "season_draft", ["season", "actor"], unique=True)
    op.create_table(
        "season_post",
        sa.Column("season", sa.Integer, sa.ForeignKey("season.id"), primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("player", sa.Integer, sa.ForeignKey("league_player.number")),
        sa.Column("wanted", sa.Integer, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("channel_id", sa.Integer),
        sa.Column("message_id", sa.Integer),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Integer, nullable=False),
        **STRICT,
    )
    op.create_index(
        "ix_season_post_due", "season_post", ["not_before"], sqlite_where=sa.text("wanted > shown")
    )
