"""The first schema.

A migration is a piece of history: it repeats the tables instead of importing `data.schema.core`, which moves on.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from data.migrations.boards import create_boards
from data.migrations.leagues import create_leagues
from data.migrations.records import create_records

revision = "0001"
down_revision = None

STRICT: dict[str, Any] = {"sqlite_strict": True}
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}


def upgrade() -> None:
    op.execute("PRAGMA application_id = 1416196204")  # "Tipl"
    _people()
    _tables()
    _deals()
    create_records()
    _scores()
    _practice()
    create_boards()
    create_leagues()
    _errands()


def _people() -> None:
    op.create_table(
        "guild",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.CheckConstraint("json_valid(settings)"),
        **STRICT,
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("dms_open", sa.Integer, nullable=False),
        sa.Column("updated_at", sa.Integer, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.CheckConstraint("dms_open IN (0, 1)"),
        sa.CheckConstraint("json_valid(settings)"),
        **STRICT,
    )


def _tables() -> None:
    op.create_table(
        "game_table",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("channel_id", sa.Integer, nullable=False),
        sa.Column("message_id", sa.Integer),
        sa.Column("host_id", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("deal_no", sa.Integer, nullable=False),
        sa.Column("dealer", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Integer, nullable=False),
        sa.Column("closed_at", sa.Integer),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("thread_id", sa.Integer),
        sa.Column("sign_id", sa.Integer),
        sa.Column("thread_lack", sa.Text),
        sa.Column("opened_by", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("challenge", sa.Integer, nullable=False),
        sa.Column("notice_id", sa.Integer),
        sa.Column("ended", sa.Text),
        sa.CheckConstraint("status IN ('lobby', 'playing', 'between', 'closed')"),
        sa.CheckConstraint("ended IN ('vote', 'staff', 'abandoned', 'left')"),
        sa.CheckConstraint("(status = 'closed') = (closed_at IS NOT NULL)"),
        sa.CheckConstraint("challenge IN (0, 1)"),
        sa.CheckConstraint("json_valid(rules)"),
        sa.CheckConstraint("json_valid(options)"),
        **COUNTED,
    )
    op.create_index("ix_game_table_opened", "game_table", ["opened_by", "created_at"])
    op.create_index(
        "ix_game_table_open", "game_table", ["channel_id"], sqlite_where=sa.text("closed_at IS NULL")
    )
    op.create_table(
        "seat",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("computer", sa.Text),
        sa.Column("dm_channel_id", sa.Integer),
        sa.Column("dm_message_id", sa.Integer),
        sa.Column("left", sa.Integer, nullable=False),
        sa.Column("ready", sa.Integer, nullable=False),
        sa.Column("away", sa.Integer, nullable=False),
        sa.Column("ending", sa.Integer, nullable=False),
        sa.Column("stand_in", sa.Text),
        sa.Column("second_clock", sa.Integer),
        sa.Column("sits_out", sa.Integer, nullable=False),
        sa.CheckConstraint("person_id IS NOT NULL OR computer IS NOT NULL"),
        sa.CheckConstraint('"left" IN (0, 1)'),
        sa.CheckConstraint("ready IN (0, 1)"),
        sa.CheckConstraint("away IN (0, 1)"),
        sa.CheckConstraint("ending IN (0, 1)"),
        sa.CheckConstraint("stand_in IN ('whole', 'part')"),
        sa.CheckConstraint("sits_out IN (0, 1)"),
        **STRICT,
    )
    op.create_index("ix_seat_person", "seat", ["person_id"])
    op.create_table(
        "bench",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("comes", sa.Integer, nullable=False),
        sa.Column("mixed", sa.Text),
        sa.CheckConstraint("comes IN (0, 1)"),
        **STRICT,
    )
    op.create_index("ix_bench_person", "bench", ["person_id"])
    op.create_table(
        "guest",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("standing", sa.Text, nullable=False),
        sa.CheckConstraint("standing IN ('invited', 'blocked')"),
        **STRICT,
    )
    op.create_index("ix_guest_person", "guest", ["person_id"])
    op.create_table(
        "pinned",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("deal_no", sa.Integer, nullable=False),
        sa.Column("groups", sa.Text, nullable=False),
        sa.CheckConstraint("json_valid(groups)"),
        **STRICT,
    )
    op.create_index("ix_pinned_person", "pinned", ["person_id"])
    op.create_table(
        "staff_act",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id")),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        **COUNTED,
    )
    op.create_index("ix_staff_act_guild", "staff_act", ["guild_id", "at"])


def _deals() -> None:
    op.create_table(
        "game_match",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("match_no", sa.Integer, primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("started_at", sa.Integer, nullable=False),
        sa.Column("ended_at", sa.Integer),
        sa.Column("ended", sa.Text),
        sa.CheckConstraint("ended IN ('played', 'vote', 'staff', 'abandoned', 'left', 'closed')"),
        sa.CheckConstraint("(ended IS NULL) = (ended_at IS NULL)"),
        **STRICT,
    )
    op.create_table(
        "deal",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("deal_no", sa.Integer, primary_key=True),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("entropy", sa.Text, nullable=False),
        sa.Column("former_seeds", sa.Text, nullable=False),
        sa.Column("shuffle_version", sa.Integer, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("dealer", sa.Integer, nullable=False),
        sa.Column("started_at", sa.Integer, nullable=False),
        sa.Column("ended_at", sa.Integer),
        sa.Column("ended", sa.Text),
        sa.Column("match_no", sa.Integer),
        sa.Column("match_deal", sa.Integer),
        sa.Column("shared_at", sa.Integer),
        sa.Column("board_set", sa.Integer),
        sa.Column("board_no", sa.Integer),
        sa.ForeignKeyConstraint(["table_id", "match_no"], ["game_match.table_id", "game_match.match_no"]),
        sa.CheckConstraint("json_valid(entropy)"),
        sa.CheckConstraint("json_valid(former_seeds)"),
        sa.CheckConstraint("json_valid(rules)"),
        sa.CheckConstraint("ended IN ('vote', 'staff', 'abandoned', 'left')"),
        sa.CheckConstraint("(match_no IS NULL) = (match_deal IS NULL)"),
        sa.CheckConstraint("(board_set IS NULL) = (board_no IS NULL)"),
        **STRICT,
    )
    op.create_table(
        "event",
        sa.Column("table_id", sa.Integer, primary_key=True),
        sa.Column("deal_no", sa.Integer, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("actor", sa.Integer),
        sa.Column("at", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
        sa.CheckConstraint("json_valid(body)"),
        sa.CheckConstraint("actor BETWEEN 0 AND 99"),
        **STRICT,
    )
    op.create_table(
        "result",
        sa.Column("table_id", sa.Integer, primary_key=True),
        sa.Column("deal_no", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("payment", sa.Integer, nullable=False),
        sa.Column("net", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
        sa.CheckConstraint("status IN ('seen', 'unseen', 'foul', 'pause')"),
        sa.CheckConstraint("winner IN (0, 1)"),
        **STRICT,
    )
    op.create_index("ix_result_person", "result", ["person_id"])


def _scores() -> None:
    """Home games with real cards."""
    op.create_table(
        "score_session",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), nullable=False),
        sa.Column("channel_id", sa.Integer, nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("draft", sa.Text),
        sa.Column("changed_at", sa.Integer, nullable=False),
        sa.Column("closed_at", sa.Integer),
        sa.CheckConstraint("json_valid(names)"),
        sa.CheckConstraint("json_valid(rules)"),
        **COUNTED,
    )
    op.create_index(
        "ux_score_session_open",
        "score_session",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "score_keeper",
        sa.Column("session_id", sa.Integer, sa.ForeignKey("score_session.id"), primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        **STRICT,
    )
    op.create_index("ix_score_keeper_person", "score_keeper", ["person_id"])
    op.create_table(
        "score_entry",
        sa.Column("session_id", sa.Integer, sa.ForeignKey("score_session.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("deal", sa.Text, nullable=False),
        sa.Column("undone", sa.Integer, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        sa.CheckConstraint("json_valid(deal)"),
        sa.CheckConstraint("undone IN (0, 1)"),
        **STRICT,
    )


def _practice() -> None:
    """The first deals of people who learn the game."""
    op.create_table(
        "practice",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        sa.CheckConstraint("json_valid(events)"),
        **STRICT,
    )


def _errands() -> None:
    """What the running bot has to remember: clicks answered, clocks, things to publish."""
    op.create_table(
        "interaction_seen",
        sa.Column("interaction_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id")),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        **STRICT,
    )
    op.create_index("ix_interaction_seen_at", "interaction_seen", ["at"])
    op.create_table(
        "deadline",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Integer, nullable=False),
        **STRICT,
    )
    op.create_index("ix_deadline_due", "deadline", ["due_at"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("game_table.id"), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("queued_at", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Integer, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("done_at", sa.Integer),
        **COUNTED,
    )
    op.create_index(
        "ux_outbox_pending",
        "outbox",
        ["table_id", "key"],
        unique=True,
        sqlite_where=sa.text("done_at IS NULL"),
    )
    op.create_index("ix_outbox_done", "outbox", ["done_at"])
    op.create_table(
        "meta",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        **STRICT,
    )
