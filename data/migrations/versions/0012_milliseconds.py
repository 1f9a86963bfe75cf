"""Seasons and ratings tell the time in milliseconds, like everything else. They used to count seconds."""

import json
from zlib import crc32

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

IN_SECONDS = {
    "round_drawn": ("due",),
    "pod_reopened": ("due",),
    "deadlines_put_off": ("since", "by"),
}
"""The fields of each event that were in seconds."""

_CHECKED = ("id", "season", "actor", "at", "reason", "staff", "corrects", "body")
"""The columns that the checksum of an event is of."""
EVENT = sa.table("season_event", *map(sa.column, _CHECKED), sa.column("checksum"))
DRAFT = sa.table("season_draft", sa.column("id"), sa.column("body"))
RATING = sa.table("rating", sa.column("last"))


def upgrade() -> None:
    _events()
    _drafts()
    op.execute(sa.update(RATING).values(last=RATING.c.last * 1000))
    _reminders(sa.table("season_post", sa.column("key")), "key")
    _reminders(sa.table("outbox", sa.column("name")), "name")


def _events() -> None:
    for row in _with_times(EVENT):
        values = [row[name] for name in _CHECKED]
        # An event whose checksum is wrong already stays as it is, so that its damage is still found.
        if _checksum(*values) == row["checksum"]:
            body = _in_milliseconds(row["body"])
            changed = {"body": body, "checksum": _checksum(*values[:-1], body)}
            op.execute(sa.update(EVENT).where(EVENT.c.id == row["id"]).values(changed))


def _drafts() -> None:
    for row in _with_times(DRAFT):
        body = _in_milliseconds(row["body"])
        op.execute(sa.update(DRAFT).where(DRAFT.c.id == row["id"]).values(body=body))


def _with_times(table: sa.TableClause) -> list[sa.RowMapping]:
    kind = sa.func.json_extract(table.c.body, "$.event")
    return list(op.get_bind().execute(sa.select(table).where(kind.in_(IN_SECONDS))).mappings())


def _in_milliseconds(body: str) -> str:
    event = json.loads(body)
    for name in IN_SECONDS[event["event"]]:
        if name in event:
            event[name] *= 1000
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def _checksum(*values: int | str | None) -> int:
    return crc32("\x1f".join(map(str, values)).encode())


def _reminders(table: sa.TableClause, column: str) -> None:
    """The text of a reminder to play ends with the deadline of its pod, 0 for that of the round."""
    name = table.c[column]
    found = op.get_bind().execute(sa.select(name).distinct().where(name.like("%play:%:%:%:%")))
    for text in found.scalars().all():
        before, due = text.rsplit(":", 1)
        op.execute(sa.update(table).where(name == text).values({column: f"{before}:{int(due) * 1000}"}))
