"""Every event of a deal and of a season carries a checksum of its row."""

from typing import Any
from zlib import crc32

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

STRICT: dict[str, Any] = {"sqlite_strict": True}
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}


def upgrade() -> None:
    driver = op.get_bind().connection.driver_connection
    if driver is None:
        raise ValueError("the connection is open")
    driver.create_function("row_checksum", -1, _checksum, deterministic=True)
    # References in other tables keep naming the new table, not the one that is put aside.
    op.execute("PRAGMA legacy_alter_table = ON")
    _deal_events()
    _season_events()
    op.execute("PRAGMA legacy_alter_table = OFF")


def _checksum(*values: int | str | None) -> int:
    return crc32("\x1f".join(map(str, values)).encode())


def _deal_events() -> None:
    op.execute("ALTER TABLE event RENAME TO event_before")
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
        sa.Column("checksum", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
        sa.CheckConstraint("json_valid(body)"),
        sa.CheckConstraint("actor BETWEEN 0 AND 99"),
        **STRICT,
    )
    op.execute(
        "INSERT INTO event SELECT table_id, deal_no, seq, type, version, body, actor, at,"
        " row_checksum(table_id, deal_no, seq, type, version, body, actor, at)"
        " FROM event_before ORDER BY event_before.rowid"
    )
    op.drop_table("event_before")


def _season_events() -> None:
    op.drop_index("ix_season_event_season", "season_event")
    op.execute("ALTER TABLE season_event RENAME TO season_event_before")
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
        sa.Column("checksum", sa.Integer, nullable=False),
        sa.CheckConstraint("json_valid(body)"),
        sa.CheckConstraint("staff IN (0, 1)"),
        **COUNTED,
    )
    op.execute(
        "INSERT INTO season_event SELECT id, season, actor, at, reason, staff, corrects, body,"
        " row_checksum(id, season, actor, at, reason, staff, corrects, body)"
        " FROM season_event_before ORDER BY id"
    )
    op.drop_table("season_event_before")
    op.create_index("ix_season_event_season", "season_event", ["season", "id"])
