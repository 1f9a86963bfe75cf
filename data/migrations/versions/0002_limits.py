"""Limits are kept under a keyed digest of the id, so that forgetting a person lifts none of them."""

import hmac
import secrets
import time
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

STRICT: dict[str, Any] = {"sqlite_strict": True}
COUNTED: dict[str, Any] = STRICT | {"sqlite_autoincrement": True}
HOUR_MS = 3_600_000


def upgrade() -> None:
    op.drop_index("ix_game_table_opened", "game_table")
    op.create_table(
        "person_limit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("about", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer),
        sa.CheckConstraint("kind IN ('table', 'challenge', 'daily', 'block', 'season')"),
        sa.CheckConstraint("until IS NOT NULL OR kind IN ('block', 'season')"),
        **COUNTED,
    )
    op.create_index("ix_person_limit_digest", "person_limit", ["digest", "kind"])
    op.create_index("ix_person_limit_until", "person_limit", ["until"])
    key = secrets.token_bytes(32)
    op.get_bind().execute(sa.text("INSERT INTO meta VALUES ('limit_key', :key)"), {"key": key.hex()})
    _keep_what_lasts(key, int(time.time() * 1000))


def _keep_what_lasts(key: bytes, now: int) -> None:
    """The limits that people have at this moment."""
    connection = op.get_bind()
    for kind, question in _LASTING.items():
        for person, about, until in connection.execute(sa.text(question), {"now": now, "hour": HOUR_MS}):
            values = {
                "digest": hmac.digest(key, str(person).encode(), "sha256").hex(),
                "kind": kind,
                "about": about,
                "until": until,
            }
            connection.execute(
                sa.text(
                    "INSERT INTO person_limit (digest, kind, about, until)"
                    " VALUES (:digest, :kind, :about, :until)"
                ),
                values,
            )


_LASTING = {
    "table": "SELECT opened_by, id, created_at + :hour FROM game_table WHERE created_at > :now - :hour"
    " AND channel_id <> 0 ORDER BY id",
    "challenge": "SELECT opened_by, id, created_at + :hour FROM game_table"
    " WHERE created_at > :now - :hour AND challenge = 1 ORDER BY id",
    "daily": "SELECT person_id, set_id, closes_at FROM daily_try"
    " JOIN board_set ON board_set.id = set_id WHERE closes_at > :now",
    "block": "SELECT person_id, table_id, NULL FROM guest"
    " JOIN game_table ON game_table.id = table_id WHERE standing = 'blocked' AND closed_at IS NULL",
}
"""By kind: the person, what it is about, and until when it lasts."""
