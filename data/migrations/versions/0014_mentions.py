"""The mention of a person's turn has a place of its own, and new tables have a clock.

A server that never chose a clock gets the new default; one that chose "no clock" keeps it.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

INDEXES = (
    ("ix_game_table_channel", "channel_id"),
    ("ix_game_table_thread", "thread_id"),
    ("ix_game_table_host", "host_id"),
    ("ix_game_table_opener", "opened_by"),
)
STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    _mentions()
    _clocks()


def _clocks() -> None:
    """Forget a clock that no staff has chosen; the log knows each choice."""
    op.execute(
        "UPDATE guild SET settings = json_remove(settings, '$.pace') WHERE settings ->> '$.pace' = 'none'"
        " AND NOT EXISTS (SELECT 1 FROM staff_act"
        " WHERE staff_act.guild_id = guild.id AND act = 'setup' AND reason = 'pace none')"
    )


def _mentions() -> None:
    op.execute("UPDATE deadline SET kind = 'mention' WHERE kind = 'warn'")
    # A reminder that was posted stays in the table's row, whose next move asks for it to be deleted.
    op.execute(
        "UPDATE outbox SET done_at = queued_at, error = 'renewed' WHERE kind = 'notice' AND done_at IS NULL"
    )
    # References in other tables keep naming the new table, not the one that is put aside.
    op.execute("PRAGMA legacy_alter_table = ON")
    op.drop_index("ix_game_table_open", "game_table")
    op.drop_index("ix_game_table_guild", "game_table")
    for name, _ in INDEXES:
        op.drop_index(name, "game_table")
    op.execute("ALTER TABLE game_table RENAME TO game_table_before")
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
        sa.Column("mention_id", sa.Integer),
        sa.Column("mention_channel_id", sa.Integer),
        sa.Column("ended", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.CheckConstraint("status IN ('lobby', 'playing', 'between', 'closed')"),
        sa.CheckConstraint("ended IN ('vote', 'staff', 'abandoned', 'left')"),
        sa.CheckConstraint("(status = 'closed') = (closed_at IS NOT NULL)"),
        sa.CheckConstraint("challenge IN (0, 1)"),
        sa.CheckConstraint("json_valid(rules)"),
        sa.CheckConstraint("json_valid(options)"),
        **STRICT,
        sqlite_autoincrement=True,
    )
    op.execute(
        "INSERT INTO game_table SELECT id, guild_id, channel_id, message_id, host_id, status, revision, rules, rules_version, deal_no, dealer,"
        " created_at, closed_at, options, thread_id, sign_id, thread_lack, opened_by, challenge, notice_id,"
        " CASE WHEN notice_id IS NULL THEN NULL ELSE coalesce(thread_id, channel_id) END, ended, version"
        " FROM game_table_before ORDER BY id"
    )
    # No number of a table is ever used again.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'game_table'")
    op.execute("UPDATE sqlite_sequence SET name = 'game_table' WHERE name = 'game_table_before'")
    op.drop_table("game_table_before")
    is_open = sa.text("closed_at IS NULL")
    op.create_index("ix_game_table_open", "game_table", ["channel_id"], sqlite_where=is_open)
    op.create_index("ix_game_table_guild", "game_table", ["guild_id"], sqlite_where=is_open)
    for name, column in INDEXES:
        op.create_index(name, "game_table", [column])
    op.execute("PRAGMA legacy_alter_table = OFF")
