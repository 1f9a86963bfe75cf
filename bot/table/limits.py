"""Limit the tables of one person or one channel, so that nobody floods a server or keeps pinging people."""

from collections.abc import Sequence

from bot.errors import UserError
from bot.settings import Settings
from data.ids import ChannelId
from data.privacy.limits import LimitRow
from data.transaction import WriteTransaction
from data.values import TableRow
from league.ids import PersonId
from league.times import HOUR


async def require_room(
    db: WriteTransaction,
    settings: Settings,
    channel_id: ChannelId,
    person_id: PersonId,
    now: int,
    *,
    challenge: bool,
) -> None:
    """Refuse one table too many; raises UserError, which says when the next one may be opened."""
    here = len(await db.tables.in_channel(channel_id))
    if here >= settings.tables_per_channel:
        raise UserError("sorry.channel_full", count=here)
    opened = await db.limits.limits(person_id, "table", now)
    _require_fewer(opened, settings.tables_per_person_h, "sorry.many_tables")
    if challenge:
        challenges = await db.limits.limits(person_id, "challenge", now)
        _require_fewer(challenges, settings.challenges_per_person_h, "sorry.many_challenges")


async def count_opened(db: WriteTransaction, table: TableRow, person_id: PersonId, now: int) -> None:
    """Count a table that a person has just opened."""
    await db.limits.add_limit(person_id, "table", table.id, now + HOUR)
    if table.challenge:
        await db.limits.add_limit(person_id, "challenge", table.id, now + HOUR)


def _require_fewer(opened: Sequence[LimitRow], most: int, key: str) -> None:
    if len(opened) >= most:
        free_again = opened[-most].until or 0
        raise UserError(key, count=len(opened), at=free_again)
